import { createSummary } from '../../qoe';
import type { LogEvent } from '../../session-log';
import { expandTopology, type DirectionSpec } from '../../scenario';
import {
  congestionControls,
  defaultPathUse,
  simulateSession,
  type PathUseOptions,
} from '../../sim';
import { makeFilm } from '../film';
import {
  pathRates,
  type MptcpPlusJob,
  type MptcpPlusOutcome,
  type SamplesJob,
  type SamplesOutcome,
  type SessionJob,
  type SessionOutcome,
} from './jobs';
import { variantParts, type Variant } from './variants';

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
const QUEUE_BYTES = 60_000;
/** Offset in segments between the film's starts of two seeds. */
const SEED_STEP = 37;
/** Largest number of samples in Fig. 5. */
export const MOST_SAMPLES = 300;

export function runMptcpPlus(job: MptcpPlusJob): MptcpPlusOutcome {
  return job.kind === 'session' ? runSession(job) : runSamples(job);
}

function runSession(job: SessionJob): SessionOutcome {
  const pathUse = { ...defaultPathUse, samples: job.samples, rho: job.rho };
  const log = play(job, job.variant, pathUse);
  const builder = createSummary();
  for (const event of log) builder.add(event);
  const summary = builder.finish();
  const video = summary.segments.find(({ mediaType }) => mediaType === 'video');
  const bytesOf = (path: string): number => summary.paths.find(({ id }) => id === path)?.bytes ?? 0;
  const all = bytesOf('fast') + bytesOf('slow');
  return {
    kind: 'session',
    bitrateBps: summary.averageBitrateBps,
    switches: summary.switches,
    outageMs: summary.stalls.totalMs,
    qoe: summary.linearQoe?.perSegment ?? null,
    slowShare: all > 0 ? bytesOf('slow') / all : 0,
    delaysMs: video?.delayPercentilesMs ?? [],
    speedsBps: video?.speedPercentilesBps ?? [],
  };
}

/** Rho 0 excludes no path: the decision only samples. */
function runSamples(job: SamplesJob): SamplesOutcome {
  const kept: [number[], number[]] = [[], []];
  const onSample = (index: number, rateBps: number): void => {
    const samples = kept[index];
    if (samples !== undefined && samples.length < MOST_SAMPLES) samples.push(Math.round(rateBps));
  };
  const looking = { ...defaultPathUse, rho: 0, onSample };
  play(job, 'pud-only', looking);
  return { kind: 'samples', fastBps: kept[0], slowBps: kept[1] };
}

function play(job: MptcpPlusJob, variant: Variant, pathUse: PathUseOptions): LogEvent[] {
  const { fastBps, slowBps } = pathRates(job);
  const { congestion, createScheduler, player } = variantParts(variant, pathUse);
  const count = Math.ceil(job.filmMs / SEGMENT_MS);
  return simulateSession({
    scenario: {
      name: job.key,
      topology: expandTopology({
        kind: 'multihomed',
        paths: [path('fast', fastBps), path('slow', slowBps)],
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
    createCongestion: congestionControls[congestion],
  });
}

function path(id: string, rateBps: number): { id: string; down: DirectionSpec; up: DirectionSpec } {
  const direction: DirectionSpec = {
    rateBps,
    delayMs: DELAY_MS,
    // Makes seeds differ.
    jitter: { shape: 'uniform', spreadMs: 2 },
    queue: { discipline: 'droptail' },
    queueBytes: QUEUE_BYTES,
  };
  return { id, down: direction, up: direction };
}
