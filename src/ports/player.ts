import type { Forecast, LogEvent } from '../qoe';
import type { Ladder, TransportStatus } from '../core';

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
}

/** Port: a player, seen from outside. Implementations: the dash.js player; later the simulator's client. */
export interface Player {
  load(url: string): void;
  play(): void;
  pause(): void;
  snapshot(): PlayerSnapshot;
  /** Every event that also goes to the log, as it happens. Returns the function that unsubscribes. */
  subscribe(listener: (event: LogEvent) => void): () => void;
  /** Stops, releases everything, writes the `end` event. Idempotent. */
  destroy(): void;
}
