import { describe, expect, it } from 'vitest';
import type { ExperimentOptions } from '../types';
import { mptcpPlusExperiment } from './experiment';
import { pathRates, type MptcpPlusOutcome, type SessionJob, type SessionOutcome } from './jobs';
import { deviationKbps } from './results';
import { runMptcpPlus } from './run';
import { VARIANTS, type Variant } from './variants';

const options: ExperimentOptions = { quick: false, seed: 1, read: () => '' };

describe('plan', () => {
  it('has the paper’s film, every variant on every pair of paths, no run twice', () => {
    const jobs = mptcpPlusExperiment.plan(options);
    expect(mptcpPlusExperiment.plan(options)).toEqual(jobs);
    expect(new Set(jobs.map(({ key }) => key)).size).toBe(jobs.length);
    expect(jobs.every(({ filmMs }) => filmMs === 596_000)).toBe(true);
    const sessions = jobs.filter((job) => job.kind === 'session');
    for (const averageKbps of [500, 1500, 3000]) {
      for (const ratio of [0.2, 0.5, 0.8]) {
        const here = sessions.filter(
          (job) => job.averageKbps === averageKbps && job.ratio === ratio,
        );
        expect(new Set(here.map(({ variant }) => variant))).toEqual(new Set(VARIANTS));
      }
    }
    // Fig. 6 and the settings.
    expect(sessions.filter(({ ratio }) => ratio === 0.6)).toHaveLength(2 * 4 * 20);
    expect(sessions.filter(({ samples }) => samples === 15)).toHaveLength(2 * 20);
    expect(sessions.filter(({ rho }) => rho === 0.4)).toHaveLength(2 * 20);
  });

  it('gives paths the requested mean and ratio', () => {
    expect(pathRates({ averageKbps: 1500, ratio: 0.5 })).toEqual({ fastBps: 2e6, slowBps: 1e6 });
    expect(pathRates({ averageKbps: 600, ratio: 0.2 })).toEqual({ fastBps: 1e6, slowBps: 200e3 });
  });
});

const job: SessionJob = {
  key: 'tiny',
  kind: 'session',
  variant: 'mptcp',
  averageKbps: 1500,
  ratio: 0.2,
  samples: 30,
  rho: 0.6,
  seed: 1,
  filmMs: 30_000,
};

function session(change: Partial<SessionJob>): SessionOutcome {
  const outcome = runMptcpPlus({ ...job, ...change });
  if (outcome.kind !== 'session') throw new Error('a session was asked for');
  return outcome;
}

describe('run', () => {
  it('is equal for equal seeds and differs for others', () => {
    const one = JSON.stringify(session({}));
    expect(JSON.stringify(session({}))).toBe(one);
    expect(JSON.stringify(session({ seed: 2 }))).not.toBe(one);
  });

  it('MPTCP+ excludes the slow path, and its QoE rises', () => {
    const plain = session({ filmMs: 60_000 });
    const plus = session({ filmMs: 60_000, variant: 'mptcp-plus' });
    expect(plain.slowShare).toBeGreaterThan(0.25);
    expect(plus.slowShare).toBeLessThan(0.6 * plain.slowShare);
    expect(plus.bitrateBps).toBeGreaterThan(plain.bitrateBps);
    expect(plus.delaysMs).toHaveLength(21);
    expect(plus.speedsBps).toEqual([...plus.speedsBps].sort((a, b) => a - b));
  });

  it('plays over the fast path alone, which carries all of the bytes', () => {
    const alone = session({ variant: 'fast-alone', ratio: 0.8 });
    expect(alone.slowShare).toBe(0);
    expect(alone.bitrateBps).toBeLessThan(session({ ratio: 0.8 }).bitrateBps);
  });

  it('takes every sample of both paths', () => {
    const { key, averageKbps, ratio, seed, filmMs } = job;
    const outcome = runMptcpPlus({ key, kind: 'samples', averageKbps, ratio, seed, filmMs });
    if (outcome.kind !== 'samples') throw new Error('samples were asked for');
    expect(outcome.fastBps.length).toBeGreaterThan(50);
    expect(Math.abs(outcome.fastBps.length - outcome.slowBps.length)).toBeLessThan(10);
    const last = (samples: number[]): number => samples.at(-1) ?? 0;
    expect(last(outcome.fastBps)).toBeGreaterThan(last(outcome.slowBps));
  });

  it('records windows, and how often MCC smooths', () => {
    const { key, seed, filmMs } = job;
    const windows = (variant: Variant): Extract<MptcpPlusOutcome, { kind: 'windows' }> => {
      const pair = { averageKbps: 500, ratio: 1 };
      const outcome = runMptcpPlus({ key, kind: 'windows', variant, ...pair, seed, filmMs });
      if (outcome.kind !== 'windows') throw new Error('windows were asked for');
      return outcome;
    };
    const lia = windows('mptcp');
    expect(lia.smoothedAcks).toBeNull();
    expect(lia.windows.map((values) => values.length)).toEqual([47, 47]);
    expect(Math.max(...lia.windows[1])).toBeGreaterThan(1);
    expect(lia.totalVariation).toBeGreaterThan(0);
    expect(windows('mcc-unsmoothed').smoothedAcks).toBe(0);
    expect(windows('mcc-only').smoothedAcks).toBeGreaterThanOrEqual(0);
  });

  it('measures the spread of the first samples', () => {
    expect(deviationKbps([1e3, 3e3, 99e3], 2)).toBeCloseTo(Math.SQRT2, 9);
    expect(deviationKbps([1e3], 2)).toBeNaN();
  });
});
