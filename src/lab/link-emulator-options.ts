import type { BurstLossSpec, JitterSpec, MiddleboxSpec, OutageSpec, QueueSpec } from '../scenario';

/** A trace that was passed to the emulator by {@link LinkEmulator.addTrace}. */
export interface TraceChoice {
  name: string;
  /** Stay at the last step instead of repeating. */
  once?: boolean;
}

/** A change of one direction of a running link. `null` reverts a setting. */
export interface DirectionChange {
  /** Ends a trace. `null`: unlimited. */
  rateBps?: number | null;
  /** Starts at its first step. */
  trace?: TraceChoice | null;
  /** One way. */
  delayMs?: number;
  jitter?: JitterSpec | null;
  /** 0 to 1, independent per packet. */
  lossRatio?: number;
  burstLoss?: BurstLossSpec;
  outages?: OutageSpec | null;
}

/** `down`: no carrier at either end. `blackhole`: a carrier, and all packets are lost. */
export type LinkState = 'up' | 'down' | 'blackhole';

/** A change of a running link in both directions; `ab` and `ba` are for one, and override. */
export interface LinkChange extends DirectionChange {
  state?: LinkState;
  /** Replaces the middlebox; `null`: none. NAT forgets its mappings. */
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

/** Initial settings of one direction that differ from the other's. */
export interface DirectionOptions extends DirectionChange {
  queue?: QueueSpec;
  queueBytes?: number;
}

/** A new link. Each direction needs a rate or a trace; `rateBps: null` is unlimited. */
export interface LinkOptions extends DirectionOptions {
  name: string;
  a: LinkEnd;
  b: LinkEnd;
  seed: number;
  middlebox?: MiddleboxSpec;
  ab?: DirectionOptions;
  ba?: DirectionOptions;
}
