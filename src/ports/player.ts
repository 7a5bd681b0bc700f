import type { Forecast, LogEvent, PathControlReport } from '../qoe';
import type { Ladder, TransportStatus } from '../core';

/** What the viewer says of a network. */
export interface NetworkWish {
  /** Path or interface name, as in the samples. */
  network: string;
  /** Bytes cost money or count against a contingent. */
  metered?: boolean | undefined;
  /** Price of 1e9 bytes in any one currency; orders the metered networks. */
  costPerGb?: number | undefined;
  /** Bytes it may carry in the session. */
  budgetBytes?: number | undefined;
  /** Use it first. */
  preferred?: boolean | undefined;
}

/** How the paths are decided about now. */
export interface PathPolicyView {
  /** The policy in force. */
  policy: string;
  /** True where it was chosen, by the viewer or by whoever made the player. */
  pinned: boolean;
  /** Policies to choose from. */
  choices: readonly { name: string; summary: string }[];
  networks: readonly NetworkWish[];
  /** Why the paths are as they are, one line; empty before the first decision. */
  reason: string;
  /** Whether they can be steered, and how they stand; absent where nobody can say. */
  control?: PathControlReport | undefined;
}

/** What a panel, a terminal or a test wants to see of a player at one instant. */
export interface PlayerSnapshot {
  positionMs: number;
  bufferMs: number;
  playing: boolean;
  rung: number;
  bitrateBps: number;
  stalls: { count: number; totalMs: number };
  lastDecision?: { reason: string; toRung: number } | undefined;
  forecast?: Forecast | undefined;
  status: TransportStatus;
  ladders: Ladder[];
  /** Absent where nothing decides about the paths. */
  paths?: PathPolicyView | undefined;
}

/** Port: a player, seen from outside. Implementations: the dash.js player; later the simulator's client. */
export interface Player {
  load(url: string): void;
  play(): void;
  pause(): void;
  snapshot(): PlayerSnapshot;
  /** Every event that also goes to the log, as it happens. Returns the function that unsubscribes. */
  subscribe(listener: (event: LogEvent) => void): () => void;
  /** Chooses the path policy from now on; undefined gives the choice back to the player. @throws Error on an unknown one */
  setPolicy?(name: string | undefined): void;
  /** Says what is known of the networks, from now on, in place of what was said before. */
  setNetworks?(networks: readonly NetworkWish[]): void;
  /** Stops, releases everything, writes the `end` event. Idempotent. */
  destroy(): void;
}
