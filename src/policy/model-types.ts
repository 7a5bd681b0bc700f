import type { PathId } from '../core';

/** The policy's knowledge of a path that may be tried. */
export interface Trial {
  pathId: PathId;
  /** Time it was in use with a request outstanding since it came. */
  usedMs: number;
  /** Consecutive trials without a gain. */
  failures: number;
  /** Time since it was in use. */
  idleMs: number;
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
  /** Share of all download time that trials of unused paths may cost. 0: no trials. Example: 0.015. */
  probeCostShare: number;
  /** Shortest time between two trials of a path. Example: 4 s. */
  probeMinMs: number;
  /** Longest. Example: 160 s. */
  probeMaxMs: number;
  /** Maximum time with a request outstanding for a trial. Example: 2500 ms. */
  probeLengthMs: number;
  /**
   * Largest share of the buffer that a trial may cost if it stopped the stream for its whole length. Example:
   * 0.35.
   */
  probeBufferShare: number;
}

export interface ModelMemory {
  chosen: readonly PathId[];
  /** The better set, and the time for which it has been better. */
  rival: { pathIds: readonly PathId[]; ms: number } | null;
  trials: readonly Trial[];
  /** Path on trial now. */
  probe: { pathId: PathId; ms: number } | null;
  /** Reason for the set in use. */
  because: string;
}
