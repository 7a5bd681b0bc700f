import { defaultPathUse } from '../../sim';
import type { ExperimentOptions } from '../types';
import type { MptcpPlusJob, PathPair, SamplesJob, SessionJob, WindowsJob } from './jobs';
import { VARIANTS, type Variant } from './variants';

/** Fig. 6: range of the slow path's rate over the fast one's. */
export const STUDY_RATIOS = [0.5, 0.6, 0.7, 0.8] as const;
/** Fig. 6a and 6b: "relatively slow download speed", and fast. Fig. 4 has 500, Fig. 8 1500 kbit/s. */
export const STUDY_AVERAGES_KBPS = [500, 1500] as const;
/** Figs. 7 and 8: a large difference, that of Fig. 2a, and a small one. */
export const PANEL_RATIOS = [0.2, 0.5, 0.8] as const;
/** Fig. 8a: "1500Kbps average bandwidth and large inter-path throughput difference". */
export const LARGEST_GAIN_PAIR: PathPair = { averageKbps: 1500, ratio: 0.2 };
/** Each mean bandwidth with each of those differences. */
export const panelsOf = (averagesKbps: readonly number[]): PathPair[] =>
  averagesKbps.flatMap((averageKbps) => PANEL_RATIOS.map((ratio) => ({ averageKbps, ratio })));

/** n and rho around the paper's 150 and 0.6. */
export const STUDY_SAMPLES = [15, 50, 150, 300] as const;
export const STUDY_RHOS = [0.2, 0.4, 0.6, 0.8] as const;
/** Setting in which n and rho vary: one difference above the paper's rho, one below. */
export const STUDY_PAIRS: readonly PathPair[] = [
  { averageKbps: 1500, ratio: 0.3 },
  { averageKbps: 1500, ratio: 0.7 },
];
/** Fig. 4, Fig. 2a and 2b, and the paths of Fig. 8a where MCC alone gains most. */
export const WINDOW_PAIRS = {
  'Fig. 4': { averageKbps: 500, ratio: 1 },
  'Fig. 2a': { averageKbps: 500, ratio: 0.486 },
  'Fig. 2b': { averageKbps: 500, ratio: 0.869 },
  'Fig. 8a': LARGEST_GAIN_PAIR,
} as const satisfies Record<string, PathPair>;
/** MCC by its readings, beside MPTCP's LIA. */
export const WINDOW_VARIANTS = ['mptcp', 'mcc-only', 'mcc-round', 'mcc-unsmoothed'] as const;
/** A quarter of the set-up's queues. */
const SHORT_QUEUE_BYTES = 15_000;

const DEFAULTS = { samples: defaultPathUse.samples, rho: defaultPathUse.rho };
/** Rate of the slow path over the fast one while the samples are taken. */
const SAMPLES_RATIO = 0.5;

interface Profile {
  trials: number;
  filmMs: number;
  /** Mean bandwidths of Figs. 7 and 8. */
  averagesKbps: readonly number[];
}

/** Figs. 2, 4, 5 and 6 compare small differences: they have this multiple of the trials. */
const STUDY_TRIALS = 4;

const WHOLE: Profile = { trials: 20, filmMs: 596_000, averagesKbps: [500, 1500, 3000] };
const QUICK: Profile = { trials: 5, filmMs: 120_000, averagesKbps: [500, 1500] };

export function profileOf({ quick }: Pick<ExperimentOptions, 'quick'>): Profile {
  return quick ? QUICK : WHOLE;
}

/** All runs, one trial after the other. A run that two figures show is done once. */
export function planMptcpPlus(options: ExperimentOptions): MptcpPlusJob[] {
  const profile = profileOf(options);
  const trials = options.trials ?? profile.trials;
  const jobs = new Map<string, MptcpPlusJob>();
  for (let trial = 0; trial < trials; trial += 1) {
    for (const job of trialJobs(profile, options.seed + trial)) jobs.set(job.key, job);
  }
  for (let trial = trials; trial < (options.quick ? 1 : STUDY_TRIALS) * trials; trial += 1) {
    for (const job of studyJobs(profile, options.seed + trial)) jobs.set(job.key, job);
  }
  return [...jobs.values()];
}

type Session = (variant: Variant, pair: PathPair, settings?: typeof DEFAULTS) => SessionJob;

const sessionsOf =
  ({ filmMs }: Profile, seed: number): Session =>
  (variant, { averageKbps, ratio }, { samples, rho } = DEFAULTS) => {
    const key = [variant, averageKbps, ratio, samples, rho, seed].join('/');
    return { key, kind: 'session', variant, averageKbps, ratio, samples, rho, seed, filmMs };
  };

/** Figs. 2 and 4, and the windows of Fig. 8a. */
const windowJobs = (filmMs: number, seed: number): WindowsJob[] =>
  Object.values(WINDOW_PAIRS).flatMap((pair) =>
    WINDOW_VARIANTS.map((variant): WindowsJob => {
      const key = ['windows', variant, pair.averageKbps, pair.ratio, seed].join('/');
      return { key, kind: 'windows', variant, ...pair, seed, filmMs };
    }),
  );

/** Figs. 2, 4, 5 and 6. */
function studyJobs(profile: Profile, seed: number): MptcpPlusJob[] {
  const session = sessionsOf(profile, seed);
  const { filmMs } = profile;
  const fig5 = STUDY_AVERAGES_KBPS.map((averageKbps): SamplesJob => {
    const key = ['samples', averageKbps, seed].join('/');
    return { key, kind: 'samples', averageKbps, ratio: SAMPLES_RATIO, seed, filmMs };
  });
  const shortQueues = fig5.map((job): SamplesJob => ({
    ...job,
    key: `short-queues/${job.key}`,
    queueBytes: SHORT_QUEUE_BYTES,
  }));
  const fig6 = STUDY_AVERAGES_KBPS.flatMap((averageKbps) =>
    STUDY_RATIOS.map((ratio) => session('mptcp', { averageKbps, ratio })),
  );
  return [...fig5, ...shortQueues, ...fig6, ...windowJobs(filmMs, seed)];
}

function trialJobs(profile: Profile, seed: number): MptcpPlusJob[] {
  const session = sessionsOf(profile, seed);
  const study = STUDY_PAIRS.flatMap((pair) => [
    session('mptcp', pair),
    ...STUDY_SAMPLES.map((samples) => session('mptcp-plus', pair, { ...DEFAULTS, samples })),
    ...STUDY_RHOS.map((rho) => session('mptcp-plus', pair, { ...DEFAULTS, rho })),
  ]);
  const compared = panelsOf(profile.averagesKbps).flatMap((panel) =>
    VARIANTS.map((variant) => session(variant, panel)),
  );
  return [...studyJobs(profile, seed), ...study, ...compared];
}
