import type { CarriageReport, Forecast, Ladder, NetworkWish, TransportStatus } from '../core';
import type { LogEvent, PathControlReport } from '../session-log';

/** The current state of path decisions. */
export interface PathPolicyView {
  /** The current policy. */
  policy: string;
  /** True if the viewer or the embedder chose it. */
  pinned: boolean;
  /** The available policies. */
  choices: readonly { name: string; summary: string }[];
  networks: readonly NetworkWish[];
  /** The reason for the current paths, one line; empty before the first decision. */
  reason: string;
  /** The possibility to control paths, and their states; absent if unknown. */
  control?: PathControlReport | undefined;
}

/** A player's state at one instant, for a panel, a terminal or a test. */
export interface PlayerSnapshot {
  positionMs: number;
  bufferMs: number;
  playing: boolean;
  rung: number;
  bitrateBps: number;
  stalls: { count: number; totalMs: number };
  /** Distance of the picture from the live edge; absent on demand. */
  liveLatencyMs?: number | undefined;
  lastDecision?: { reason: string; toRung: number } | undefined;
  forecast?: Forecast | undefined;
  status: TransportStatus;
  ladders: Ladder[];
  /** The way in which media is fetched; absent if nothing reports it. */
  carriage?: CarriageReport | undefined;
  /** Absent if no policy runs. */
  paths?: PathPolicyView | undefined;
}

/** Port: a player's external interface. Implementations: the dash.js player. */
export interface Player {
  load(url: string): void;
  play(): void;
  pause(): void;
  snapshot(): PlayerSnapshot;
  /** Every logged event, as it happens. Returns the function that unsubscribes. */
  subscribe(listener: (event: LogEvent) => void): () => void;
  /**
   * Chooses the path policy from now on; undefined returns the choice to the player.
   * @throws Error on an unknown one
   */
  setPolicy?(name: string | undefined): void;
  /** Replaces the network preferences. */
  setNetworks?(networks: readonly NetworkWish[]): void;
  /** Stops, releases everything, writes the `end` event. Idempotent. */
  destroy(): void;
}
