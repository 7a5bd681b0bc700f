import { describe, expect, it } from 'vitest';
import { ccExperiment } from './experiment';
import type { CcJob, CcOutcome } from './job';
import { asPaper, levelOutcome, options, shipped, tableOf } from './testing/made-up';

describe('ablations', () => {
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
    expect(downs(of('deep-queues-no-loss'))).toEqual(
      usual.map((one) => ({ ...one, queueBytes: 240_000, lossRatio: 0 })),
    );
    expect(downs(of('queue-480-kb'))).toEqual(
      usual.map((one) => ({ ...one, queueBytes: 480_000 })),
    );
    // The first pair is LIA's, which the readings of OLIA and wVegas do not concern.
    expect(of('olia-kernel-ranking')).toBeUndefined();
    const outcomes = [base, of('mainline-scheduler')].map(
      (job) => job && ccExperiment.run({ ...job, durationMs: 2000 }).protocolMeanMs,
    );
    expect(outcomes[0]).not.toBe(outcomes[1]);
  });

  it('names the ablation in which a statement no longer differs', () => {
    const jobs = ccExperiment.plan({ quick: false, seed: 1, trials: 3, read: shipped });
    const outcome = (job: CcJob): CcOutcome => {
      const value = (job.ablation === 'deep-queues' ? asPaper(job) : 20 - asPaper(job)) + job.trial;
      return levelOutcome(value * 1e6, value * 1e6);
    };
    const report = ccExperiment.report(
      jobs.map((job) => ({ job, outcome: outcome(job) })),
      options,
    );
    const found = report.claims.find(({ paper }) => paper.startsWith('BALIA outperforms'));
    expect(found?.agrees).toBe(false);
    expect(found?.why).toMatch(/^With deep queues it agrees: BALIA/);
    expect(found?.why).not.toContain('losses');
    // All delays are level, with every change.
    const unturned = report.claims.find(({ paper }) => paper.includes('highest maximum HoL'));
    expect(unturned?.why).toBe('No change turns it.');
    // Ablations are in no table.
    expect(tableOf(report, 'Table 3, simulated')).toHaveLength(12);
    expect(report.claims.some(({ agrees, why }) => agrees === true && why !== undefined)).toBe(
      false,
    );
  });

  it('simulates OLIA and wVegas as in their kernel code where the change says so', () => {
    const whole = ccExperiment.plan({ quick: false, seed: 1, trials: 3, read: shipped });
    const goodputs = (start: string): number[] =>
      whole
        .filter(({ key }) => key.startsWith(start))
        .map((job) => ccExperiment.run({ ...job, durationMs: 5000 }).goodputMeanBps);
    // Both readings often choose alike, so not each run differs.
    for (const [change, pair] of [
      ['olia-kernel-ranking', 'olia+reno/per-path'],
      ['wvegas-instant-rate', 'wvegas+reno/per-path'],
    ]) {
      const changed = goodputs(`${change ?? ''} ${pair ?? ''}`);
      expect(changed).toHaveLength(3);
      expect(changed).not.toEqual(goodputs(pair ?? ''));
    }
  });

  it('tells the cause from the pairs that a change concerns and the unchanged others', () => {
    const jobs = ccExperiment.plan({ quick: false, seed: 1, trials: 3, read: shipped });
    const results = jobs.map((job) => {
      const { control } = job;
      const isOlia = control.kind === 'pair' && control.coupled === 'olia';
      const slow = isOlia && job.ablation === 'olia-kernel-ranking' ? 1 : 20;
      const value = (control.kind === 'pair' && !isOlia ? 10 : slow) + job.trial / 100;
      const goodput = isOlia ? value : asPaper(job) + job.trial / 100;
      return { job, outcome: levelOutcome(goodput * 1e6, 1e6) };
    });
    const report = ccExperiment.report(results, options);
    const highest = report.claims.find(({ paper }) => paper.startsWith('BALIA outperforms'));
    expect(highest?.why).toMatch(/^With the ranking of OLIA’s kernel code it agrees/);
    const readings = tableOf(report, 'OLIA and wVegas as in their kernel code');
    expect(readings).toHaveLength(2 * 2 * 3);
    const queues = tableOf(report, 'By queue size');
    expect(queues.map(([kb]) => kb)).toEqual(
      [30, 60, 120, 240, 480].flatMap((kb) => Array<number>(6).fill(kb)),
    );
    expect(JSON.stringify(queues)).not.toContain('"count":0');
    expect(tableOf(ccExperiment.report([], options), 'By queue size')).toEqual([]);
  });

  it('judges a change by the runs that have the quantity, with the change and without it', () => {
    const whole = ccExperiment.plan({ quick: false, seed: 1, trials: 8, read: shipped });
    const jobs = whole.filter(({ ablation }) => [undefined, 'deep-queues'].includes(ablation));
    const report = ccExperiment.report(
      jobs.map(({ ablation, trial, ...job }) => {
        const level = levelOutcome(1e6, 1e6);
        // The statement differs over all runs, but not over the first four. Kept runs of the change lack the later ones.
        const slope = trial > 4 || trial % 2 === 0 ? -2 : 0.2;
        const goodputSlopeMbps = ablation === undefined ? slope : 1 + trial / 100;
        const hasSlope = ablation === undefined || trial <= 4;
        return {
          job: { ...job, trial, ...(ablation === undefined ? {} : { ablation }) },
          outcome: hasSlope ? { ...level, goodputVariation: 0.1, goodputSlopeMbps } : level,
        };
      }),
      options,
    );
    const rise = report.claims.find(({ paper }) => paper.startsWith('LIA exhibits a stable rise'));
    expect(rise?.agrees).toBe(false);
    expect(rise?.why).toBe('The changed runs are too few to judge a change.');
  });
});
