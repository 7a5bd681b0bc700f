import { summarize } from '../../qoe';
import type { LogEvent } from '../../session-log';
import { expandTopology, type DirectionSpec } from '../../scenario';
import { defaultPathUse, Mcc, simulateSession } from '../../sim';
import { makeFilm } from '../film';
import {
  pathRates,
  type MptcpPlusJob,
  type MptcpPlusOutcome,
  type SamplesJob,
  type SamplesOutcome,
  type SessionJob,
  type SessionOutcome,
  type WindowsJob,
  type WindowsOutcome,
} from './jobs';
import { sessionOutcome } from './session-outcome';
import { variantParts, type VariantParts } from './variants';
import { eachSecond, smoothedShares, variation, WindowLog, type WindowSample } from './window-log';

/** The dataset's ladder (Lederer et al., 2012 and 2014, segments of 1 s): 20 rungs, 46.980 to 4726.737 kbit/s. */
export const FILM_RATES_BPS = [
  46_980, 91_917, 135_410, 182_366, 226_106, 270_316, 352_546, 424_520, 537_825, 620_705, 808_057,
  1_071_529, 1_312_787, 1_662_809, 2_234_145, 2_617_284, 3_305_118, 3_841_983, 4_242_923, 4_726_737,
] as const;
const SEGMENT_MS = 1000;
/** Buffer target of dash.js at that time. */
const BUFFER_MS = 12_000;
/** Each way. */
const DELAY_MS = 10;
/** Droptail queue of each link, as in the lab (`DROPTAIL_BYTES`). */
const QUEUE_BYTES = 60_000;
/** Offset in segments between the film's starts of two seeds. */
const SEED_STEP = 37;
/** Time that Fig. 4 shows. */
const DRAWN_SECONDS = 47;
/** Largest number of samples in Fig. 5. */
export const MAX_SAMPLES = 300;

export function runMptcpPlus(job: MptcpPlusJob): MptcpPlusOutcome {
  switch (job.kind) {
    case 'session':
      return runSession(job);
    case 'samples':
      return runSamples(job);
    case 'windows':
      return runWindows(job);
  }
}

function runSession(job: SessionJob): SessionOutcome {
  const pathUse = { ...defaultPathUse, samples: job.samples, rho: job.rho };
  return sessionOutcome(play(job, variantParts(job.variant, pathUse)));
}

/** Rho 0 excludes no path: the decision only samples. */
function runSamples(job: SamplesJob): SamplesOutcome {
  const kept: [number[], number[]] = [[], []];
  const onSample = (index: number, rateBps: number): void => {
    const samples = kept[index];
    if (samples !== undefined && samples.length < MAX_SAMPLES) samples.push(Math.round(rateBps));
  };
  const looking = { ...defaultPathUse, rho: 0, onSample };
  play(job, variantParts('pud-only', looking), job.queueBytes);
  return { kind: 'samples', fastBps: kept[0], slowBps: kept[1] };
}

/** Figs. 2 and 4, and how much the windows vary. */
function runWindows(job: WindowsJob): WindowsOutcome {
  const parts = variantParts(job.variant, defaultPathUse);
  const controls: Mcc[] = [];
  const logs: WindowLog[] = [];
  const log = play(job, {
    ...parts,
    createCongestion: (group) => {
      const control = parts.createCongestion(group);
      if (control instanceof Mcc) controls.push(control);
      return control;
    },
    createScheduler: (group, end) => {
      const scheduler = parts.createScheduler(group, end);
      if (end === 'client') return scheduler;
      const kept = new WindowLog(scheduler);
      logs.push(kept);
      return kept;
    },
  });
  const { averageBitrateBps, switches } = summarize(log);
  const samples = logs.flatMap((one) => one.samples);
  const second = (of: (sample: WindowSample) => number | undefined): number[] =>
    eachSecond(samples, DRAWN_SECONDS, of);
  const both = samples.filter(
    ({ windows }) => windows[0] !== undefined && windows[1] !== undefined,
  );
  return {
    kind: 'windows',
    windows: [second(({ windows }) => windows[0]), second(({ windows }) => windows[1])],
    ratesKbps: [
      second(({ ratesBps }) => (ratesBps[0] ?? 0) / 1e3),
      second(({ ratesBps }) => (ratesBps[1] ?? 0) / 1e3),
    ],
    bitratesKbps: log
      .flatMap((event) =>
        event.type === 'request' && event.kind === 'media' && event.outcome === 'ok'
          ? (event.bitrateBps ?? 0) / 1e3
          : [],
      )
      .slice(0, DRAWN_SECONDS),
    totalVariation: variation(both.map(({ windows }) => (windows[0] ?? 0) + (windows[1] ?? 0))),
    fastVariation: variation(both.map(({ windows }) => windows[0] ?? 0)),
    bitrateBps: averageBitrateBps,
    switches,
    ...smoothedShares(controls),
  };
}

function play(job: MptcpPlusJob, parts: VariantParts, queueBytes = QUEUE_BYTES): LogEvent[] {
  const { fastBps, slowBps } = pathRates(job);
  const { createCongestion, createScheduler, player, isAlone = false } = parts;
  const fast = path('fast', fastBps, queueBytes);
  const count = Math.ceil(job.filmMs / SEGMENT_MS);
  return simulateSession({
    scenario: {
      name: job.key,
      topology: expandTopology({
        kind: 'multihomed',
        paths: isAlone ? [fast] : [fast, path('slow', slowBps, queueBytes)],
      }),
      traffic: [],
      events: [],
      durationMs: job.filmMs,
    },
    media: makeFilm(FILM_RATES_BPS, SEGMENT_MS, count, (job.seed * SEED_STEP) % count),
    player,
    seed: job.seed,
    bufferTargetMs: BUFFER_MS,
    createScheduler,
    createCongestion,
  });
}

function path(
  id: string,
  rateBps: number,
  queueBytes: number,
): { id: string; down: DirectionSpec; up: DirectionSpec } {
  const direction: DirectionSpec = {
    rateBps,
    delayMs: DELAY_MS,
    // Makes seeds differ.
    jitter: { shape: 'uniform', spreadMs: 2 },
    queue: { discipline: 'droptail' },
    queueBytes,
  };
  return { id, down: direction, up: direction };
}
