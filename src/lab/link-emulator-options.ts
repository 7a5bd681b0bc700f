import type { BurstLossSpec, JitterSpec, MiddleboxSpec, OutageSpec, QueueSpec } from '../scenario';

/** A trace handed to the emulator before, by {@link LinkEmulator.addTrace}. */
export interface TraceChoice {
  name: string;
  /** Stay at the last step, in place of beginning again. */
  once?: boolean;
}

/** A change of one direction of a running link. `null` ends what was set. */
export interface DirectionChange {
  /** Ends a trace. `null`: unlimited. */
  rateBps?: number | null;
  /** Followed from its first step. */
  trace?: TraceChoice | null;
  /** One way. */
  delayMs?: number;
  jitter?: JitterSpec | null;
  /** 0 to 1, each packet by itself. */
  lossRatio?: number;
  burstLoss?: BurstLossSpec;
  outages?: OutageSpec | null;
}

/** `down`: no carrier at either end. `blackhole`: carrier, and everything vanishes. */
export type LinkState = 'up' | 'down' | 'blackhole';

/** A change of a running link, in both directions; `ab` and `ba` are for one, and win. */
export interface LinkChange extends DirectionChange {
  state?: LinkState;
  /** Takes the place of what the middlebox did; `null`: nothing any more. NAT forgets its mappings. */
  middlebox?: MiddleboxSpec | null;
  ab?: DirectionChange;
  ba?: DirectionChange;
}

/** One end of a link. `netns` is a namespace file; without it the end is in the caller's namespace. */
export interface LinkEnd {
  netns?: string;
  device: string;
  /** `10.77.1.2/24`; without it the interface gets none. */
  address?: string;
}

/** What one direction starts with, where it differs from the other. */
export interface DirectionOptions extends DirectionChange {
  queue?: QueueSpec;
  queueBytes?: number;
}

/** A new link. A rate or a trace is needed for each direction, `rateBps: null` where it is unlimited. */
export interface LinkOptions extends DirectionOptions {
  name: string;
  a: LinkEnd;
  b: LinkEnd;
  seed: number;
  middlebox?: MiddleboxSpec;
  ab?: DirectionOptions;
  ba?: DirectionOptions;
}
