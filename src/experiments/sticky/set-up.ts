import type { CongestionName, SchedulerName } from '../../sim';

/** One path of Table II. */
export interface StickyPath {
  /** Round trip without queues. */
  rttMs: number;
  rateBps: number;
  /** Share of the packets towards the client that is lost at random. */
  lossRatio: number;
}

export interface StickyScenario {
  id: 'base' | '3p-50' | '3p-150';
  paths: readonly [StickyPath, StickyPath, StickyPath];
}

const RATE_BPS = 2_000_000;

function paths(firstMs: number, otherMs: number, lossRatio: number): StickyScenario['paths'] {
  const other = { rttMs: otherMs, rateBps: RATE_BPS, lossRatio: 0 };
  return [{ rttMs: firstMs, rateBps: RATE_BPS, lossRatio }, other, other];
}

/** Table II. */
export const scenarios: readonly StickyScenario[] = [
  { id: 'base', paths: paths(50, 100, 0) },
  { id: '3p-50', paths: paths(50, 100, 0.02) },
  { id: '3p-150', paths: paths(150, 200, 0.02) },
];

/** Table I, by the paper's names. DFT is the shortest round trip, as section V says. */
export const schedulerOf = {
  DFT: 'min-rtt',
  'GR-STY': 'gr-sty',
  'TP-STY': 'tp-sty',
  'TR-STY': 'tr-sty',
} as const satisfies Record<string, SchedulerName>;

export type StickyScheduler = keyof typeof schedulerOf;
export const schedulerNames = Object.keys(schedulerOf) as StickyScheduler[];

/** Table I, by the paper's names. */
export const controlOf = {
  Cubic: 'cubic',
  Compound: 'compound',
  LIA: 'lia',
  OLIA: 'olia',
} as const satisfies Record<string, CongestionName>;

export type StickyControl = keyof typeof controlOf;
export const controlNames = Object.keys(controlOf) as StickyControl[];

/** Table I: 409 MB in 10 min 24 s. */
export const FILM = { lengthMs: 624_000, rateBps: 5_240_000, framesPerSecond: 24 };
/** Long enough for many cycles of the congestion windows. */
export const QUICK_FILM_MS = 120_000;

/** Values that the paper does not state. */
export const PLAYER = {
  /** VLC's network-caching. */
  bufferMs: 1000,
  /** "Resumes at a faster rate." */
  catchUpRate: 1.25,
  /** VLC's clock-jitter: a larger delay resets its clock. */
  maxLateMs: 5000,
};
/** Of each emulated link, in bytes, droptail: as in the lab. */
export const QUEUE_BYTES = 60_000;
/** About two round trips of the film with full queues: Linux's autotuning limit. */
export const RECEIVE_BUFFER_BYTES = 524_288;
