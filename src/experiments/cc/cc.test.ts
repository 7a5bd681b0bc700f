import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { ExperimentOptions } from '../types';
import { ccExperiment } from './experiment';
import { COUPLED, PATH_LEVEL, type CcJob, type CcOutcome } from './job';
import { paperValue, QUANTITIES, TABLE_3 } from './paper';

const shipped = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../scenarios/${path}`, import.meta.url)), 'utf8');

const options: ExperimentOptions = { quick: true, seed: 1, trials: 3, read: shipped };
const plan = ccExperiment.plan(options);

/** Invented outcomes: all quantities of Table 3 from one number per pair. */
function madeUp(throughput: (job: CcJob) => number): { job: CcJob; outcome: CcOutcome }[] {
  return plan.map((job) => {
    const value = throughput(job) + job.trial / 1000;
    const path = { srttMeanMs: value, srttMaxMs: value, dropsPerSecond: value, dropRatio: 0 };
    return {
      job,
      outcome: {
        ...{ protocolMeanMs: value, protocolMaxMs: value, holMeanMs: value, holMaxMs: value },
        ...{ goodputMeanBps: value * 1e6, goodputMaxBps: value * 1e6, paths: [path, path] },
      },
    };
  });
}

/** The paper's own values. */
const asPaper = ({ control }: CcJob): number =>
  control.kind === 'pair' ? (paperValue('goodputMean', control.coupled, control.path) ?? 0) : 1;

const claim = (results: ReturnType<typeof madeUp>, start: string): boolean | null => {
  const found = ccExperiment
    .report(results, options)
    .claims.find(({ paper }) => paper.startsWith(start));
  if (found === undefined) throw new Error(`no claim ${start}`);
  return found.agrees;
};

describe('ccExperiment', () => {
  it('plans every pair in both readings and every control alone, as often as requested', () => {
    expect(plan).toHaveLength(3 * (2 * 12 + 7));
    expect(new Set(plan.map(({ key }) => key)).size).toBe(plan.length);
    const whole = ccExperiment.plan({ quick: false, seed: 1, read: shipped });
    expect(whole).toHaveLength(120 * 31 + 3 * 40 * 24);
    expect(new Set(whole.map(({ key }) => key)).size).toBe(whole.length);
    expect(JSON.stringify(ccExperiment.plan(options))).toBe(JSON.stringify(plan));
  });

  it('gives all controls of a trial the same network, and each trial another', () => {
    const networks = [1, 2, 3].map(
      (trial) =>
        new Set(
          plan.filter((job) => job.trial === trial).map(({ paths }) => JSON.stringify(paths)),
        ),
    );
    expect(networks.map(({ size }) => size)).toEqual([1, 1, 1]);
    expect(new Set(networks.flatMap((one) => [...one])).size).toBe(3);
    for (const { paths, durationMs } of plan) {
      for (const { down } of paths) {
        const steps = down.trace?.steps ?? [];
        expect(steps.reduce((sum, one) => sum + one.durationMs, 0)).toBeCloseTo(durationMs, 6);
        expect(Math.min(...steps.map(({ rateBps }) => rateBps))).toBeGreaterThanOrEqual(3e6);
      }
    }
  });

  it('gives the same bytes for the same job, and all its quantities', () => {
    const [job] = plan;
    if (job === undefined) throw new Error('no plan');
    const short = { ...job, durationMs: 3000 };
    const outcome = ccExperiment.run(short);
    expect(JSON.stringify(ccExperiment.run(short))).toBe(JSON.stringify(outcome));
    expect(outcome.goodputMeanBps).toBeGreaterThan(1e6);
    expect(outcome.goodputMaxBps).toBeGreaterThan(outcome.goodputMeanBps);
    const [path1, path2] = outcome.paths;
    expect(path1?.srttMeanMs).toBeGreaterThan(65);
    expect(path2?.srttMeanMs).toBeGreaterThan(42);
    expect(outcome.protocolMaxMs).toBeGreaterThan(path1?.srttMaxMs ?? Infinity);
    expect(outcome.series?.goodputBps.length).toBeGreaterThan(25);
    expect(JSON.stringify(ccExperiment.run({ ...short, seed: 99 }))).not.toBe(
      JSON.stringify(outcome),
    );
  });

  it('has twelve values of each quantity of the paper', () => {
    for (const name of QUANTITIES) expect(TABLE_3[name].paper).toHaveLength(12);
    expect(paperValue('goodputMean', 'balia', 'reno')).toBe(11.4);
    expect(paperValue('holMax', 'wvegas', 'reno')).toBe(733);
    expect(COUPLED.length * PATH_LEVEL.length).toBe(12);
  });

  it('agrees with the paper if the outcomes are the paper’s', () => {
    const results = madeUp(asPaper);
    expect(claim(results, 'BALIA has the highest throughput')).toBe(true);
    expect(claim(results, 'BALIA with Reno has the highest')).toBe(true);
    expect(claim(results, 'wVegas has the lowest throughput')).toBe(true);
    expect(claim(results, 'what is at the path level')).toBe(true);
    expect(claim(results, 'BALIA (with Reno')).toBe(false);
    const report = ccExperiment.report(results, options);
    expect(report.tables[0]?.rows).toHaveLength(12);
    expect(report.tables.every(({ rows, columns }) => rows[0]?.length === columns.length)).toBe(
      true,
    );
    expect(JSON.stringify(report)).not.toMatch(/NaN|Infinity/);
  });

  it('judges every statement under both readings', () => {
    const results = madeUp((job) =>
      job.control.kind === 'pair' && job.control.scope === 'per-path'
        ? 20 - asPaper(job)
        : asPaper(job),
    );
    const { claims } = ccExperiment.report(results, options);
    const highest = claims.filter(({ paper }) => paper.startsWith('BALIA has the highest thr'));
    expect(highest.map(({ place, agrees }) => [place, agrees])).toEqual([
      ['3.1.5, as Fig. 1', true],
      ['3.1.5, path by path', false],
    ]);
    expect(claims).toHaveLength(22);
  });

  it('changes one property in an ablation, and nothing else', () => {
    const whole = ccExperiment.plan({ quick: false, seed: 1, trials: 1, read: shipped });
    const [base] = whole;
    const of = (name: string): CcJob | undefined =>
      whole.find(({ key }) => key === `${name} ${base?.key ?? ''}`);
    const downs = (job: CcJob | undefined): unknown[] => job?.paths.map(({ down }) => down) ?? [];
    const usual = base?.paths.map(({ down }) => down) ?? [];
    expect(downs(of('deep-queues'))).toEqual(usual.map((one) => ({ ...one, queueBytes: 240_000 })));
    expect(downs(of('no-loss'))).toEqual(usual.map((one) => ({ ...one, lossRatio: 0 })));
    expect(downs(of('mainline-scheduler'))).toEqual(usual);
    const outcomes = [base, of('mainline-scheduler')].map(
      (job) => job && ccExperiment.run({ ...job, durationMs: 2000 }).protocolMeanMs,
    );
    expect(outcomes[0]).not.toBe(outcomes[1]);
  });

  it('names the ablation in which a statement no longer differs', () => {
    const jobs = ccExperiment.plan({ quick: false, seed: 1, trials: 3, read: shipped });
    const outcome = (job: CcJob): CcOutcome => {
      const value = (job.ablation === 'deep-queues' ? asPaper(job) : 20 - asPaper(job)) + job.trial;
      const path = { srttMeanMs: 1, srttMaxMs: 1, dropsPerSecond: 1, dropRatio: 0 };
      return {
        ...{ protocolMeanMs: 1, protocolMaxMs: 1, holMeanMs: 1, holMaxMs: 1 },
        ...{ goodputMeanBps: value * 1e6, goodputMaxBps: value * 1e6, paths: [path, path] },
      };
    };
    const report = ccExperiment.report(
      jobs.map((job) => ({ job, outcome: outcome(job) })),
      options,
    );
    const found = report.claims.find(({ paper }) => paper.startsWith('BALIA has the highest thr'));
    expect(found?.agrees).toBe(false);
    expect(found?.why).toMatch(/^With queues of 240 kB in place of 60 kB it agrees: BALIA/);
    expect(found?.why).not.toContain('losses');
    // Ablations are in no table.
    expect(report.tables[0]?.rows).toHaveLength(12);
    expect(report.claims.some(({ agrees, why }) => agrees === true && why !== undefined)).toBe(
      false,
    );
  });

  it('differs if it is not the highest and a lead of 2 % is excluded', () => {
    const noise = (job: CcJob): number => 100 + job.trial / 10 + (job.trial % 2) / 10;
    // 0.5 % behind, and ahead.
    const balia = (change: number) =>
      madeUp((job) => noise(job) + (job.key.startsWith('balia') ? change : 0));
    expect(claim(balia(-0.5), 'BALIA has the highest throughput')).toBe(false);
    expect(claim(balia(0.5), 'BALIA has the highest throughput')).toBe(true);
  });

  it('differs if another leads beyond chance, and is undecided within chance', () => {
    const turned = madeUp((job) => 20 - asPaper(job));
    expect(claim(turned, 'BALIA has the highest throughput')).toBe(false);
    expect(claim(turned, 'wVegas has the lowest throughput')).toBe(false);
    const noise = (job: CcJob): number => 5 + ((job.key.length * 7 + job.trial * 13) % 5);
    expect(claim(madeUp(noise), 'BALIA has the highest throughput')).toBeNull();
    const { claims } = ccExperiment.report(madeUp(noise), options);
    const open = claims.filter(({ agrees, paper }) => agrees === null && !paper.startsWith('what'));
    expect(open.length).toBeGreaterThan(0);
    for (const { why } of open) expect(why).toMatch(/About \d+ runs|Not decided by/);
    expect(claim([], 'BALIA has the highest throughput')).toBeNull();
  });
});
