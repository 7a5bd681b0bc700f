import {
  emptyLedger,
  observeBatch,
  type ByteLedger,
  type PathId,
  type SampleBatch,
  type TransportState,
  type TransportStatus,
} from '../core';
import type { PathSummary, SessionSummary } from './summary-types';

interface PathTotals {
  bytes: number;
  activeMs: number;
  activeBytes: number;
  rttSum: number;
  rttCount: number;
}

/** From best to worst for the viewer. */
const severity: readonly TransportState[] = [
  'multipath',
  'idle',
  'single-subflow',
  'fallback',
  'plain-tcp',
  'no-feed',
  'unobservable',
  'disabled',
];

/** Gathers what samples and status tell; mutable, one per session. */
export class TransportSummary {
  private ledger: ByteLedger = emptyLedger;
  private readonly totals = new Map<PathId, PathTotals>();
  private heldByteMs = 0;
  private heldMs = 0;
  private heldMax = 0;
  private carrying: string | undefined;
  private readonly everCarried = new Set<PathId>();
  private pathSwitches = 0;
  private worst: TransportStatus | undefined;
  private last: TransportStatus | undefined;

  addStatus(status: TransportStatus): void {
    this.last = status;
    const rank = (one: TransportStatus): number => severity.indexOf(one.state);
    if (!this.worst || rank(status) > rank(this.worst)) this.worst = status;
  }

  addSamples(batch: SampleBatch): void {
    const { ledger, interval } = observeBatch(this.ledger, batch);
    this.ledger = ledger;
    if (!interval) return;
    const ms = interval.endMs - interval.startMs;
    for (const [id, path] of interval.paths) {
      const totals = this.totals.get(id) ?? {
        bytes: 0,
        activeMs: 0,
        activeBytes: 0,
        rttSum: 0,
        rttCount: 0,
      };
      totals.bytes += path.bytes;
      if (path.bytes > 0 && interval.continuous && path.measured) {
        totals.activeMs += ms;
        totals.activeBytes += path.bytes;
      }
      if (path.bytes > 0 && path.rcvRttMs !== undefined) {
        totals.rttSum += path.rcvRttMs;
        totals.rttCount += 1;
      }
      this.totals.set(id, totals);
    }
    if (interval.continuous) {
      this.heldByteMs += interval.heldBytes * ms;
      this.heldMs += ms;
      this.heldMax = Math.max(this.heldMax, interval.heldBytes);
    }
    if (interval.connections > 0) this.followSet(interval.paths);
  }

  /** Counts changes of the set of paths that may carry; a path's first joining is no switch. */
  private followSet(paths: ReadonlyMap<PathId, { state: string }>): void {
    const of = (state: string): PathId[] =>
      [...paths].filter(([, path]) => path.state === state).map(([id]) => id);
    const active = of('active');
    const set = (active.length > 0 ? active : of('backup')).sort();
    if (set.length === 0) return;
    const key = set.join('\n');
    const joined = set.filter((id) => !this.everCarried.has(id));
    for (const id of joined) this.everCarried.add(id);
    if (this.carrying !== undefined && key !== this.carrying) {
      const before = this.carrying.split('\n');
      const onlyJoined =
        joined.length > 0 &&
        set.filter((id) => !joined.includes(id)).join('\n') === before.join('\n');
      if (!onlyJoined) this.pathSwitches += 1;
    }
    this.carrying = key;
  }

  finish(
    sessionMs: number,
  ): Pick<SessionSummary, 'paths' | 'pathSwitches' | 'holBytes' | 'transport'> {
    let allBytes = 0;
    for (const totals of this.totals.values()) allBytes += totals.bytes;
    const paths: PathSummary[] = [...this.totals]
      .map(([id, totals]) => ({
        id,
        bytes: totals.bytes,
        sharePercent: allBytes > 0 ? (100 * totals.bytes) / allBytes : 0,
        meanRateBps: sessionMs > 0 ? (totals.bytes * 8000) / sessionMs : 0,
        activeRateBps: totals.activeMs > 0 ? (totals.activeBytes * 8000) / totals.activeMs : 0,
        activeMs: totals.activeMs,
        rcvRttMs: totals.rttCount > 0 ? totals.rttSum / totals.rttCount : null,
      }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    return {
      paths,
      pathSwitches: this.pathSwitches,
      holBytes: {
        mean: this.heldMs > 0 ? this.heldByteMs / this.heldMs : 0,
        max: this.heldMax,
      },
      transport: this.worst && this.last ? { worst: this.worst, last: this.last } : null,
    };
  }
}
