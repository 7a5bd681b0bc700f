import type { PathId, SampleBatch, SubflowState } from '../../core';

/** The panel's data of one path. */
export interface PathRow {
  pathId: PathId;
  state: SubflowState;
  /** Rate over the last window. */
  rateBps: number;
  /** Share of all paths' bytes since the panel was opened, 0 to 1. */
  share: number;
  /** Bytes since the panel was opened. */
  bytes: number;
  rcvRttMs: number | undefined;
  /** Rates of past windows, oldest first. */
  history: readonly number[];
}

interface Track {
  state: SubflowState;
  rcvRttUs: number | undefined;
  windowBytes: number;
  totalBytes: number;
  rateBps: number;
  history: number[];
}

/** Width of a rate's window; the history is a minute of them. Chosen; no measurement. */
const WINDOW_MS = 500;
const HISTORY_WINDOWS = 120;
/** States in ascending order: a path shows the best state of its subflows. */
const ALIVE: readonly SubflowState[] = ['closed', 'connecting', 'backup', 'active'];

/** Converts sample batches into per-path rates for display: differences of the subflows' byte counters. */
export class PathRates {
  readonly #tracks = new Map<PathId, Track>();
  #counters = new Map<string, number>();
  #windowStartMs: number | undefined;

  /** True if a window was completed and the rows have changed. */
  observe(batch: SampleBatch): boolean {
    const first = this.#windowStartMs === undefined;
    this.#windowStartMs ??= batch.monotonicMs;
    for (const track of this.#tracks.values()) track.state = 'closed';
    const counters = new Map<string, number>();
    for (const connection of batch.connections) {
      for (const subflow of connection.subflows) {
        const key = `${connection.connectionId}/${subflow.subflowId}`;
        const before = this.#counters.get(key) ?? (first ? subflow.bytesReceived : 0);
        counters.set(key, subflow.bytesReceived);
        const track = this.#track(subflow.pathId);
        const bytes = Math.max(0, subflow.bytesReceived - before);
        track.windowBytes += bytes;
        track.totalBytes += bytes;
        if (ALIVE.indexOf(subflow.state) > ALIVE.indexOf(track.state)) track.state = subflow.state;
        track.rcvRttUs = subflow.rcvRttUs ?? track.rcvRttUs;
      }
    }
    this.#counters = counters;
    const windowMs = batch.monotonicMs - this.#windowStartMs;
    if (windowMs < WINDOW_MS) return false;
    this.#windowStartMs = batch.monotonicMs;
    for (const track of this.#tracks.values()) {
      track.rateBps = (track.windowBytes * 8000) / windowMs;
      track.windowBytes = 0;
      track.history.push(track.rateBps);
      if (track.history.length > HISTORY_WINDOWS) track.history.shift();
    }
    return true;
  }

  /** No more data come: no path is known to be in use. */
  close(): void {
    for (const track of this.#tracks.values())
      Object.assign(track, { state: 'closed', rateBps: 0 });
    this.#windowStartMs = undefined;
  }

  rows(): PathRow[] {
    const all = [...this.#tracks];
    const total = all.reduce((sum, [, track]) => sum + track.totalBytes, 0);
    return all
      .map(([pathId, track]) => ({
        pathId,
        state: track.state,
        rateBps: track.rateBps,
        bytes: track.totalBytes,
        share: total > 0 ? track.totalBytes / total : 0,
        rcvRttMs: track.rcvRttUs === undefined ? undefined : track.rcvRttUs / 1000,
        history: track.history,
      }))
      .sort((a, b) => (a.pathId < b.pathId ? -1 : 1));
  }

  #track(pathId: PathId): Track {
    let track = this.#tracks.get(pathId);
    if (!track) {
      track = {
        state: 'closed',
        rcvRttUs: undefined,
        windowBytes: 0,
        totalBytes: 0,
        rateBps: 0,
        history: [],
      };
      this.#tracks.set(pathId, track);
    }
    return track;
  }
}

export { HISTORY_WINDOWS };
