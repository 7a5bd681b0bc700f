import { describe, expect, it } from 'vitest';
import type { ExperimentOptions } from '../types';
import { mptcpPlusExperiment } from './experiment';
import {
  pathRates,
  type MptcpPlusJob,
  type MptcpPlusOutcome,
  type SessionJob,
  type SessionOutcome,
} from './jobs';
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
    expect(sessions.filter(({ ratio }) => ratio === 0.6)).toHaveLength(2 * 20);
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

describe('report', () => {
  const quick = { ...options, quick: true };
  const rising = (from: number): number[] => Array.from({ length: 21 }, (_, i) => from + i);

  /** Outcomes that depend on the variant, and slightly on the seed. */
  function made(
    of: (job: SessionJob) => number,
    spread = [1e6, 2e6, 1e5],
  ): { job: MptcpPlusJob; outcome: MptcpPlusOutcome }[] {
    return mptcpPlusExperiment.plan(quick).map((one) => {
      if (one.kind === 'samples') {
        const wave = (height: number): number[] =>
          Array.from({ length: 300 }, (_, i) => height * (i % 2) + one.seed);
        const outcome = {
          kind: 'samples',
          fastBps: wave(spread[1] ?? 0),
          slowBps: wave(spread[2] ?? 0),
        };
        return { job: one, outcome: outcome as MptcpPlusOutcome };
      }
      if (one.kind === 'windows') {
        const isCalm = one.variant === 'mcc-only' || one.variant === 'mcc-unsmoothed';
        const both: [number[], number[]] = [
          [10, 12],
          [5, 6],
        ];
        const outcome: MptcpPlusOutcome = {
          kind: 'windows',
          windows: both,
          ratesKbps: both,
          bitratesKbps: [500, 700],
          totalVariation: (isCalm ? 0.3 : 0.5) + one.seed / 1e3,
          fastVariation: 0.5,
          bitrateBps: 1e6 * one.ratio + one.seed,
          switches: 2,
          smoothedAcks: one.variant === 'mptcp' ? null : 0.15,
          smoothedReductions:
            one.variant === 'mptcp' ? null : one.variant === 'mcc-round' ? 0.95 : 0,
        };
        return { job: one, outcome };
      }
      const good = of(one);
      const outcome: SessionOutcome = {
        kind: 'session',
        bitrateBps: good * 1e6 + one.seed,
        switches: 3,
        outageMs: 0,
        qoe: good,
        slowShare: 0.3,
        delaysMs: rising(1000 / good),
        speedsBps: rising(good * 1e6),
      };
      return { job: one, outcome };
    });
  }
  const report = (
    results: ReturnType<typeof made>,
  ): ReturnType<typeof mptcpPlusExperiment.report> => mptcpPlusExperiment.report(results, quick);
  const verdicts = (results: ReturnType<typeof made>, begins: string): (boolean | null)[] =>
    report(results)
      .claims.filter(({ place }) => place.startsWith(begins))
      .map(({ agrees }) => agrees);
  const by = (best: Variant) => (one: SessionJob) =>
    (one.variant === best ? 2 : 1) * (1 + one.ratio) + one.seed / 1e3;

  it('agrees if MPTCP+ is best, differs if it is worst', () => {
    const better = made(by('mptcp-plus'));
    expect(verdicts(better, 'Fig. 5')).toEqual([true, true]);
    // Both averages lose the same share.
    expect(verdicts(better, 'Fig. 6')).toEqual([true, true, true, true, false]);
    expect(verdicts(better, 'Fig. 7')).toEqual([true, true]);
    expect(verdicts(better, 'Fig. 8')).toEqual([true, true, false]);
    expect(verdicts(better, 'Abstract')).toEqual([true]);
    // All have the same number of switches.
    expect(verdicts(better, 'Conclusion')).toEqual([true, true, false, false]);
    const worse = made(by('mptcp'), [0, 1e5, 2e6]);
    expect(verdicts(worse, 'Fig. 5')[0]).toBe(false);
    expect(verdicts(worse, 'Fig. 7')).toEqual([false, false]);
    expect(verdicts(worse, 'Fig. 8')).toEqual([false, false, false]);
    expect(verdicts(worse, 'Abstract')).toEqual([false]);
  });

  it('tells the panels in which a statement holds from those in which it does not', () => {
    const slower = ({ variant, averageKbps, ratio, seed }: SessionJob): number => {
      const isWorse = variant === 'mptcp-plus' && averageKbps === 1500 && ratio === 0.5;
      return (isWorse ? 0.9 : variant === 'mptcp-plus' ? 3 : 1) + seed / 1e3;
    };
    const [pooled, each] = report(made(slower)).claims.filter(({ place }) => place === 'Fig. 7');
    expect([pooled?.agrees, each?.agrees]).toEqual([true, false]);
    expect(each?.ours).toContain('not at 1500 kbit/s, C1/C2 0.5; undecided at none');
  });

  it('judges bitrates above C1/C2 of 0.6 apart from each step', () => {
    const steps = ({ ratio, seed }: SessionJob): number => (ratio > 0.6 ? 2 : 1) + seed / 1e3;
    // At 0.8 they are not better than at 0.7.
    expect(verdicts(made(steps), 'Fig. 6, 500')).toEqual([false, true]);
  });

  it('judges whether the slow path is disabled, and the oscillations under MCC alone', () => {
    const changed = (slowAt: readonly number[], calm: Variant): ReturnType<typeof made> =>
      made(by('mptcp')).map(({ job: one, outcome }) => {
        if (one.kind !== 'session' || outcome.kind !== 'session') return { job: one, outcome };
        const isOut = one.variant === 'mptcp-plus' && slowAt.includes(one.ratio);
        const slowShare = (isOut ? 0.01 : 0.3) + one.seed / 1e4;
        const switches = (one.variant === calm ? 5 : 50) + one.seed;
        return { job: one, outcome: { ...outcome, slowShare, switches } };
      });
    expect(verdicts(changed([0.2, 0.5], 'mcc-only'), 'Section IV-B')).toEqual([true, true]);
    // Above rho both paths stay in use, so 0.8 does not count.
    expect(verdicts(changed([0.8], 'mcc-only'), 'Section IV-B')).toEqual([false, false]);
    expect(verdicts(changed([], 'mcc-only'), 'Conclusion, MCC')).toEqual([true]);
    expect(verdicts(changed([], 'mptcp-plus'), 'Conclusion, MCC')).toEqual([false]);
    const [mcc] = report(changed([], 'mptcp-plus')).claims.filter(
      ({ place }) => place === 'Conclusion, MCC',
    );
    // A part in place of MPTCP+ says nothing about MCC alone.
    expect(mcc?.why).toBeUndefined();
  });

  it('finds the largest gain where the paper has it', () => {
    const largest = ({ variant, averageKbps, ratio, seed }: SessionJob): number => {
      const gain = averageKbps === 1500 && ratio === 0.2 ? 3 : 1;
      return (variant === 'mptcp-plus' ? 1 + gain : 1) + seed / 1e3;
    };
    expect(verdicts(made(largest), 'Fig. 8a')).toEqual([true]);
  });

  it('judges MCC’s windows, and each reading of its theta', () => {
    const results = made(by('mptcp-plus'));
    // Calmer than LIA; not calmer than theta = 1; per round trip more restless.
    expect(verdicts(results, 'Section III-B')).toEqual([true, false, false]);
    const [, perAck, perRound] = report(results).claims.filter(
      ({ place }) => place === 'Section III-B',
    );
    expect(perAck?.why).toMatch(
      /^Theta is below 1 at 0\.00 % of the reductions, so that no loss is smoothed, and at 15 % of the acknowledgements; with theta = 1 the difference from LIA is -0\.200 /,
    );
    expect(perRound?.why).toMatch(/^Theta is below 1 at 95\.00 % of the reductions/);
    const rarely = results.map(({ job: one, outcome }) => ({
      job: one,
      outcome:
        outcome.kind === 'windows' && outcome.smoothedReductions === 0
          ? { ...outcome, smoothedReductions: 0.004 }
          : outcome,
    }));
    const why = report(rarely).claims.find(({ paper }) => paper === perAck?.paper)?.why;
    expect(why).toMatch(/^Theta is below 1 at 0\.40 % of the reductions, so that hardly a loss is/);
    expect(verdicts(results, 'Fig. 2')).toEqual([true]);
  });

  it('names the part of MPTCP+ without which a statement agrees', () => {
    const results = made(
      ({ variant, seed }) => (variant === 'mptcp' || variant === 'mptcp-plus' ? 1 : 2) + seed / 1e3,
    );
    const why = report(results).claims.find(({ place }) => place.startsWith('Fig. 8'))?.why;
    expect(why).toMatch(/^With MCC alone, without the path use decision it agrees: /);
    const fig5 = report(made(by('mptcp'), [0, 1e5, 2e6])).claims.find(
      ({ place }) => place === 'Fig. 5',
    );
    expect(fig5?.why).toBe('It differs still with each of: queues of 15 kB in place of 60 kB.');
  });

  it('differs if MPTCP+ changes nothing', () => {
    const same = made(({ seed }) => 1 + seed / 1e3);
    expect(verdicts(same, 'Fig. 6')).toEqual([false, false, false, false, false]);
    expect(verdicts(same, 'Fig. 7')).toEqual([false, false]);
    expect(verdicts(same, 'Fig. 8').slice(0, 2)).toEqual([false, false]);
    expect(verdicts(same, 'Abstract')).toEqual([false]);
  });

  it('is undecided without runs, and has every table and figure', () => {
    expect(report([]).claims.every(({ agrees }) => agrees === null)).toBe(true);
    const { figures, tables } = report(made(by('client-ours')));
    expect(figures).toHaveLength(2 + 4 + 2 + 1 + 2 + 2 * 6);
    expect(figures.every(({ series }) => series.every(({ points }) => points.length > 0))).toBe(
      true,
    );
    expect(tables.map(({ rows }) => rows.length)).toEqual([
      6 * VARIANTS.length,
      6 * 3,
      2 * 8,
      4 * 4,
    ]);
    for (const { columns, rows } of tables) {
      expect(rows.every((row) => row.length === columns.length)).toBe(true);
    }
  });
});
