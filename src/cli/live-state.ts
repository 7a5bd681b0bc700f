import type { PathId, SampleBatch, SubflowState, TransportStatus } from '../core';
import type { LogEvent, PlayerEvent } from '../qoe';

/** One path as the terminal shows it. */
export interface LivePath {
  pathId: PathId;
  state: SubflowState;
  /** Over the last `windowMs`. */
  rateBps: number;
  rcvRttMs: number | undefined;
  /** Share of all bytes so far, 0 to 1. */
  share: number;
}

const windowMs = 1000;
const stateRank: Record<SubflowState, number> = { active: 0, backup: 1, connecting: 2, closed: 3 };

interface PathBytes {
  state: SubflowState;
  bytes: number;
  rcvRttUs: number | undefined;
}

/** Follows a session's events and answers what a live line shows; remembers one second, no more. */
export class LiveState {
  status: TransportStatus = { state: 'idle', reason: 'no connection yet' };
  player: PlayerEvent | undefined;
  reason = '';
  stalls = { count: 0, totalMs: 0 };
  lastError = '';
  private readonly windows: { monotonicMs: number; bytes: Map<PathId, number> }[] = [];
  private readonly paths = new Map<PathId, PathBytes>();
  /** Last counter of every subflow ever seen: a path keeps the bytes of its dead subflows. */
  private readonly subflowBytes = new Map<string, { pathId: PathId; bytes: number }>();

  observe(event: LogEvent): void {
    if (event.type === 'samples') this.observeBatch(event.batch);
    else if (event.type === 'player') this.player = event;
    else if (event.type === 'status') this.status = event.status;
    else if (event.type === 'decision') {
      if (event.mediaType === 'video') this.reason = event.reason;
    } else if (event.type === 'error') this.lastError = event.message;
    else if (event.type === 'stall' && event.phase === 'end') {
      this.stalls = {
        count: this.stalls.count + 1,
        totalMs: this.stalls.totalMs + (event.durationMs ?? 0),
      };
    }
  }

  livePaths(): LivePath[] {
    const total = [...this.paths.values()].reduce((sum, path) => sum + path.bytes, 0);
    return [...this.paths.entries()]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([pathId, path]) => ({
        pathId,
        state: path.state,
        rateBps: this.rateBps(pathId),
        rcvRttMs: path.rcvRttUs === undefined ? undefined : path.rcvRttUs / 1000,
        share: total === 0 ? 0 : path.bytes / total,
      }));
  }

  private rateBps(pathId: PathId): number {
    const first = this.windows[0];
    const last = this.windows.at(-1);
    if (first === undefined || last === undefined || last.monotonicMs <= first.monotonicMs)
      return 0;
    const bytes = (last.bytes.get(pathId) ?? 0) - (first.bytes.get(pathId) ?? 0);
    return (bytes * 8000) / (last.monotonicMs - first.monotonicMs);
  }

  private observeBatch(batch: SampleBatch): void {
    for (const path of this.paths.values()) path.state = 'closed';
    for (const connection of batch.connections) {
      for (const subflow of connection.subflows) {
        this.subflowBytes.set(`${connection.connectionId} ${subflow.subflowId}`, {
          pathId: subflow.pathId,
          bytes: subflow.bytesReceived,
        });
        const known = this.paths.get(subflow.pathId);
        const state =
          known !== undefined && stateRank[known.state] < stateRank[subflow.state]
            ? known.state
            : subflow.state;
        this.paths.set(subflow.pathId, {
          state,
          bytes: 0,
          rcvRttUs: subflow.rcvRttUs ?? known?.rcvRttUs,
        });
      }
    }
    for (const path of this.paths.values()) path.bytes = 0;
    for (const { pathId, bytes } of this.subflowBytes.values()) {
      const path = this.paths.get(pathId);
      if (path !== undefined) path.bytes += bytes;
    }
    const bytes = new Map([...this.paths].map(([pathId, path]) => [pathId, path.bytes]));
    this.windows.push({ monotonicMs: batch.monotonicMs, bytes });
    while ((this.windows[1]?.monotonicMs ?? Infinity) <= batch.monotonicMs - windowMs) {
      this.windows.shift();
    }
  }
}
