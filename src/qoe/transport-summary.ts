import {
  emptyLedger,
  observeBatch,
  type CarriageReport,
  type ByteLedger,
  type PathId,
  type SampleBatch,
  type TransportState,
  type TransportStatus,
} from '../core';
import { RangeBytesCounter } from './range-bytes';
import type { PathSummary, SessionSummary } from './summary-types';

interface PathTotals {
  bytes: number;
  activeMs: number;
  activeBytes: number;
  rttSum: number;
  rttCount: number;
}

/** States from best to worst for the viewer. */
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

/** Accumulates samples and status. Mutable, one per session. */
export class TransportSummary {
  #ledger: ByteLedger = emptyLedger;
  readonly #totals = new Map<PathId, PathTotals>();
  #outOfOrderByteMs = 0;
  #outOfOrderMs = 0;
  #outOfOrderMax = 0;
  #carrying: string | undefined;
  readonly #everCarried = new Set<PathId>();
  #pathSwitches = 0;
  #worst: TransportStatus | undefined;
  #last: TransportStatus | undefined;
  #carriage: CarriageReport | undefined;
  readonly #rangeBytes = new RangeBytesCounter();

  addStatus(status: TransportStatus): void {
    this.#last = status;
    const rank = (one: TransportStatus): number => severity.indexOf(one.state);
    if (!this.#worst || rank(status) > rank(this.#worst)) this.#worst = status;
  }

  addCarriage(report: CarriageReport): void {
    this.#carriage = report;
    this.#rangeBytes.add(report);
  }

  addSamples(batch: SampleBatch): void {
    const { ledger, interval } = observeBatch(this.#ledger, batch);
    this.#ledger = ledger;
    if (!interval) return;
    const ms = interval.endMs - interval.startMs;
    for (const [id, path] of interval.paths) {
      const totals = this.#totals.get(id) ?? {
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
      this.#totals.set(id, totals);
    }
    if (interval.continuous) {
      this.#outOfOrderByteMs += interval.outOfOrderBytes * ms;
      this.#outOfOrderMs += ms;
      this.#outOfOrderMax = Math.max(this.#outOfOrderMax, interval.outOfOrderBytes);
    }
    if (interval.paths.size > 0) this.#followSet(interval.paths);
  }

  /** Counts changes of the set of paths that may carry data. A path's first join is not a switch. */
  #followSet(paths: ReadonlyMap<PathId, { state: string }>): void {
    const of = (state: string): PathId[] =>
      [...paths].filter(([, path]) => path.state === state).map(([id]) => id);
    const active = of('active');
    const set = (active.length > 0 ? active : of('backup')).sort();
    if (set.length === 0) return;
    const key = set.join('\n');
    const joined = set.filter((id) => !this.#everCarried.has(id));
    for (const id of joined) this.#everCarried.add(id);
    if (this.#carrying !== undefined && key !== this.#carrying) {
      const before = this.#carrying.split('\n');
      const onlyJoined =
        joined.length > 0 &&
        set.filter((id) => !joined.includes(id)).join('\n') === before.join('\n');
      if (!onlyJoined) this.#pathSwitches += 1;
    }
    this.#carrying = key;
  }

  finish(
    sessionMs: number,
  ): Pick<
    SessionSummary,
    'paths' | 'pathSwitches' | 'holBytes' | 'carriage' | 'rangeBytes' | 'transport'
  > {
    let allBytes = 0;
    for (const totals of this.#totals.values()) allBytes += totals.bytes;
    const paths: PathSummary[] = [...this.#totals]
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
      pathSwitches: this.#pathSwitches,
      holBytes: {
        mean: this.#outOfOrderMs > 0 ? this.#outOfOrderByteMs / this.#outOfOrderMs : 0,
        max: this.#outOfOrderMax,
      },
      carriage: this.#carriage ?? null,
      rangeBytes: this.#rangeBytes.sum(),
      transport: this.#worst && this.#last ? { worst: this.#worst, last: this.#last } : null,
    };
  }
}
