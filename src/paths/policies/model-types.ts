import type { PathId } from '../../core';

/** What is known of a path as one that may be tried. */
export interface Trial {
  pathId: PathId;
  /** Time it was in use with a request outstanding since it came. */
  usedMs: number;
  /** Trials in a row that won nothing. */
  failures: number;
  /** Time since it was in use. */
  idleMs: number;
}

export interface ModelConfig {
  /** Another set must promise this many times what the present one does. Example: 1.05. */
  gainFactor: number;
  /** A larger set must promise this many times what a smaller one does: each path is a risk. Example: 1.1. */
  sizeFactor: number;
  /** Time with a request outstanding for which a better set must be better before it is taken. Example: 800 ms. */
  holdMs: number;
  /** Longest time with a request outstanding for which a path of unknown rate is used beside the others. Example: 3000 ms. */
  learnMs: number;
  /** From this confidence on a rate may be decided with. Example: 0.3, half a second of measured time. */
  knownConfidence: number;
  /** Silence of the whole connection, with a request outstanding, after which every living path is called. Example: 500 ms. */
  silenceMs: number;
  /** With less buffer than this, a set that does not carry the rung is left without waiting. Example: 8000 ms. */
  urgentBufferMs: number;
  /** Share of all download time that trials of paths left out may cost; 0: no trials. Example: 0.015. */
  probeCostShare: number;
  /** Shortest time between two trials of a path. Example: 4 s. */
  probeMinMs: number;
  /** Longest. Example: 160 s. */
  probeMaxMs: number;
  /** Time with a request outstanding that a trial lasts at most. Example: 2500 ms. */
  probeLengthMs: number;
  /** Longest part of the buffer a trial may cost, if it stopped the stream for its whole length. Example: 0.35. */
  probeBufferShare: number;
}

export interface ModelMemory {
  chosen: readonly PathId[];
  /** What would replace it, and for how long it has been better. */
  rival: { pathIds: readonly PathId[]; ms: number } | null;
  trials: readonly Trial[];
  /** Path on trial now. */
  probe: { pathId: PathId; ms: number } | null;
  silentMs: number;
  /** Why the set in use was taken. */
  because: string;
}
