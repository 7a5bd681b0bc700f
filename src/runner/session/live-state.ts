import {
  emptyLedger,
  observeBatch,
  type PathId,
  type SampleBatch,
  type SubflowState,
  type TransportStatus,
} from '../../core';
import { StallTime } from '../../qoe';
import type { LogEvent, PlayerEvent } from '../../session-log';

/** One path in the terminal's view. */
export interface LivePath {
  pathId: PathId;
  state: SubflowState;
  /** Rate over the last `WINDOW_MS`. */
  rateBps: number;
  rcvRttMs: number | undefined;
  /** Share of all bytes so far, 0 to 1. */
  share: number;
}

const WINDOW_MS = 1000;

interface PathBytes {
  state: SubflowState;
  /** Bytes since the session began. */
  bytes: number;
  rcvRttMs: number | undefined;
}

/** Follows a session's events and returns the state for the live line. It remembers one second only. */
export class LiveState {
  status: TransportStatus = { state: 'idle', reason: 'no connection yet' };
  player: PlayerEvent | undefined;
  reason = '';
  lastError = '';
  readonly #windows: { monotonicMs: number; bytes: Map<PathId, number> }[] = [];
  readonly #paths = new Map<PathId, PathBytes>();
  readonly #stallTime = new StallTime();
  #lastMs = 0;
  #ledger = emptyLedger;

  /** A stall counts from its start, and lasts until the newest event. */
  get stalls(): { count: number; totalMs: number } {
    return this.#stallTime.finish(this.#lastMs);
  }

  observe(event: LogEvent): void {
    this.#lastMs = Math.max(this.#lastMs, event.monotonicMs);
    if (event.type === 'samples') this.#observeBatch(event.batch);
    else if (event.type === 'player') this.player = event;
    else if (event.type === 'status') this.status = event.status;
    else if (event.type === 'decision') {
      if (event.mediaType === 'video') this.reason = event.reason;
    } else if (event.type === 'error') this.lastError = event.message;
    else if (event.type === 'stall') this.#stallTime.add(event);
  }

  livePaths(): LivePath[] {
    const total = [...this.#paths.values()].reduce((sum, path) => sum + path.bytes, 0);
    return [...this.#paths.entries()]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([pathId, path]) => ({
        pathId,
        state: path.state,
        rateBps: this.#rateBps(pathId),
        rcvRttMs: path.rcvRttMs,
        share: total === 0 ? 0 : path.bytes / total,
      }));
  }

  #rateBps(pathId: PathId): number {
    const first = this.#windows[0];
    const last = this.#windows.at(-1);
    if (first === undefined || last === undefined || last.monotonicMs <= first.monotonicMs)
      return 0;
    const bytes = (last.bytes.get(pathId) ?? 0) - (first.bytes.get(pathId) ?? 0);
    return (bytes * 8000) / (last.monotonicMs - first.monotonicMs);
  }

  #observeBatch(batch: SampleBatch): void {
    const { ledger, interval } = observeBatch(this.#ledger, batch);
    if (interval === undefined) return;
    this.#ledger = ledger;
    for (const path of this.#paths.values()) path.state = 'closed';
    for (const [pathId, { state, bytes, rcvRttMs }] of interval.paths) {
      const known = this.#paths.get(pathId);
      this.#paths.set(pathId, {
        state,
        bytes: (known?.bytes ?? 0) + bytes,
        rcvRttMs: rcvRttMs ?? known?.rcvRttMs,
      });
    }
    const bytes = new Map([...this.#paths].map(([pathId, path]) => [pathId, path.bytes]));
    this.#windows.push({ monotonicMs: batch.monotonicMs, bytes });
    while ((this.#windows[1]?.monotonicMs ?? Infinity) <= batch.monotonicMs - WINDOW_MS) {
      this.#windows.shift();
    }
  }
}
