import type { PathId } from '../core';

/** The policy's knowledge of a path that may be probed. */
export interface ProbeRecord {
  pathId: PathId;
  /** Time it was in use with a request outstanding since it came. */
  usedMs: number;
  /** Time since it was in use; a use that did not measure its rate does not count. */
  idleMs: number;
  /** Time it was in use alone. */
  aloneMs: number;
}

export interface ModelConfig {
  /** Another set must promise this multiple of the present one's rate. Example: 1.05. */
  gainFactor: number;
  /** A larger set must promise this multiple of a smaller one's rate: each path is a risk. Example: 1.1. */
  sizeFactor: number;
  /** Time with a request outstanding for which a set must be better before it is taken. Example: 800 ms. */
  holdMs: number;
  /** Longest time with a request outstanding for which a path of unknown rate is used beside the others. Example: 3000 ms. */
  learnMs: number;
  /** Minimum confidence of a rate for decisions. Example: 0.3, half a second of measured time. */
  knownConfidence: number;
  /**
   * With less buffer than this, a set that does not carry the rung is left without a delay. Example: 8000 ms.
   */
  urgentBufferMs: number;
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
  /** The better set, and the time for which it has been better. */
  rival: { pathIds: readonly PathId[]; ms: number } | null;
  records: readonly ProbeRecord[];
  /** Path being probed, beside the chosen ones or alone. */
  probe: { pathId: PathId; ms: number; alone: boolean } | null;
  /** The set in use includes a path of unknown rate. */
  isMeasuring: boolean;
}
