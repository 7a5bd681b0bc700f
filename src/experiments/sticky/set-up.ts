import type { CongestionName, SchedulerName } from '../../sim';

/** One path of Table II. */
export interface StickyPath {
  /** Round trip without queues. */
  rttMs: number;
  rateBps: number;
  /** Share of the packets towards the client that is lost at random. */
  lossRatio: number;
}

/** Two properties of the set-up that the paper leaves open. */
interface StickyBuffers {
  /** Droptail queue of each emulated link. */
  queueBytes: number;
  receiveBufferBytes: number;
}

export interface StickyScenario extends StickyBuffers {
  id: 'base' | '3p-50' | '3p-150';
  paths: readonly [StickyPath, StickyPath, StickyPath];
}

const RATE_BPS = 2_000_000;
/** Table II: loss that the emulator injects on the shortest path. */
const INJECTED = 0.02;
/**
 * Section VI: flows 1 and 2 cross Wi-Fi and lose packets at random, flow 3 is wired. The paper does not state
 * how many; Wi-Fi repeats what it loses, so few are left.
 */
export const WIFI_LOSS = 0.001;

/**
 * The lab's queues. The receive buffer, Linux's autotuning limit, holds about two round trips of the film with
 * full queues.
 */
export const BUFFERS: StickyBuffers = { queueBytes: 60_000, receiveBufferBytes: 524_288 };

/** Table II, with the losses of its two wireless flows. */
export function scenariosWith(
  wifiLoss: number,
  buffers: StickyBuffers = BUFFERS,
): readonly StickyScenario[] {
  const lossy = (injected: number): number => wifiLoss + injected * (1 - wifiLoss);
  const scenario = (
    id: StickyScenario['id'],
    firstMs: number,
    otherMs: number,
    injected: number,
  ): StickyScenario => ({
    id,
    paths: [
      { rttMs: firstMs, rateBps: RATE_BPS, lossRatio: lossy(injected) },
      { rttMs: otherMs, rateBps: RATE_BPS, lossRatio: wifiLoss },
      { rttMs: otherMs, rateBps: RATE_BPS, lossRatio: 0 },
    ],
    ...buffers,
  });
  return [
    scenario('base', 50, 100, 0),
    scenario('3p-50', 50, 100, INJECTED),
    scenario('3p-150', 150, 200, INJECTED),
  ];
}

export const scenarios = scenariosWith(WIFI_LOSS);

/** Table I, by the paper's names. DFT is the shortest round trip (section V). */
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
