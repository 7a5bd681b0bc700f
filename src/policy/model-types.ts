import type { PathId } from '../core';

/** The policy's knowledge of a path that may be probed. */
export interface ProbeRecord {
  pathId: PathId;
  /** Time it was in use with a request outstanding since it came. */
  usedMs: number;
  /** Time since it was in use. */
  idleMs: number;
}

export interface ModelConfig {
  /** Another set must promise this multiple of the present one's rate. Example: 1.05. */
  gainFactor: number;
  /** A larger set must promise this multiple of a smaller one's rate: each path is a risk. Example: 1.1. */
  sizeFactor: number;
  /** Longest time with a request outstanding for which a path of unknown rate is used beside the others. Example: 3000 ms. */
  learnMs: number;
  /** Minimum confidence of a rate for decisions. Example: 0.3, half a second of measured time. */
  knownConfidence: number;
  /** Share of all download time that probes of unused paths may cost. 0: no probes. Example: 0.015. */
  probeCostShare: number;
  /** Shortest time between two probes of a path. Example: 4 s. */
  probeMinMs: number;
  /** Longest. Example: 160 s. */
  probeMaxMs: number;
  /** Maximum time with a request outstanding for a probe. Example: 2500 ms. */
  probeLengthMs: number;
  /**
   * Largest share of the buffer that a probe may cost if it stopped the stream for its whole length. Example:
   * 0.35.
   */
  probeBufferShare: number;
}

export interface ModelMemory {
  chosen: readonly PathId[];
  records: readonly ProbeRecord[];
  /** Path being probed. */
  probe: { pathId: PathId; ms: number } | null;
  /** The set contains paths of unknown rate. */
  isMeasuring: boolean;
}
