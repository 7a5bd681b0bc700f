import { describe, expect, it } from 'vitest';
import { ccExperiment } from './experiment';
import { COUPLED, PATH_LEVEL, type CcJob } from './job';
import { paperValue, QUANTITIES, TABLE_3 } from './paper';
import { asPaper, madeUp, options, shipped, tableOf } from './testing/made-up';

const plan = ccExperiment.plan(options);

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
    // One change concerns the pairs as Fig. 1, two one coupled control, in thirty trials. Three queue sizes have ten.
    expect(whole).toHaveLength(240 * 31 + (4 * 24 + 12) * 120 + 2 * 30 * 6 + 3 * 10 * 24);
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
    expect(claim(results, 'BALIA with Reno has the highest throughput')).toBe(true);
    expect(claim(results, 'OLIA with BBR follows it closely')).toBe(true);
    expect(claim(results, 'wVegas with Reno has the lowest throughput')).toBe(true);
    expect(claim(results, 'BALIA outperforms')).toBe(true);
    // Throughputs in place of delays.
    expect(claim(results, 'BALIA with Reno and with BBR have the lowest average HoL')).toBe(false);
    const report = ccExperiment.report(results, options);
    expect(tableOf(report, 'Table 3, simulated')).toHaveLength(12);
    expect(report.tables.every(({ rows, columns }) => rows[0]?.length === columns.length)).toBe(
      true,
    );
    expect(JSON.stringify(report)).not.toMatch(/NaN|Infinity/);
  });

  it('judges every statement under both readings, and says so beside the counts', () => {
    const results = madeUp((job) =>
      job.control.kind === 'pair' && job.control.scope === 'per-path'
        ? 20 - asPaper(job)
        : asPaper(job),
    );
    const { claims, claimsNote } = ccExperiment.report(results, options);
    const highest = claims.filter(({ paper }) => paper.startsWith('BALIA outperforms'));
    expect(highest.map(({ place, agrees }) => [place, agrees])).toEqual([
      ['3.1.5, as Fig. 1', true],
      ['3.1.5, path by path', false],
    ]);
    expect(claims).toHaveLength(70);
    expect(claimsNote).toMatch(/^They are 35 statements under two readings/);
  });

  it('lists inferences from Table 3 apart from the statements', () => {
    const report = ccExperiment.report(madeUp(asPaper), options);
    const rows = tableOf(report, 'Inferred from Table 3');
    expect(rows).toHaveLength(6);
    expect(rows.every((row) => row.includes('agrees'))).toBe(true);
    expect(report.claims.some(({ place }) => place.startsWith('Table 3'))).toBe(false);
  });

  it('shows the paper’s values beside each statement, also where its text contradicts them', () => {
    const { claims } = ccExperiment.report([], options);
    expect(claims.every(({ paper }) => paper.includes('[Table 3: '))).toBe(true);
    const drops = claims.find(({ paper }) => paper.includes('lowest drop rate on path 2'));
    expect(drops?.paper).toContain('LIA with BBR 1.2 1/s; lowest is BALIA with Reno 0.7 1/s');
  });

  it('judges the course of throughput in each combination', () => {
    const withCourse = (slope: (key: string) => number, variation: (key: string) => number) =>
      madeUp(asPaper).map(({ job, outcome }) => ({
        job,
        outcome: {
          ...outcome,
          goodputSlopeMbps: slope(job.key) + job.trial / 1000,
          goodputVariation: variation(job.key) + job.trial / 1000,
        },
      }));
    const starts = ['LIA exhibits a stable rise', 'wVegas has an almost flat', 'OLIA is the most'];
    const paper = withCourse(
      (key) => (key.startsWith('lia') ? 0.3 : 0),
      (key) => (key.startsWith('olia') ? 0.6 : 0.4),
    );
    expect(starts.map((start) => claim(paper, start))).toEqual([true, true, true]);
    const other = withCourse(
      (key) => (key.startsWith('lia+bbr') ? -0.3 : 0.3),
      (key) => (key.startsWith('olia+bbr') ? 0.2 : 0.4),
    );
    expect(starts.map((start) => claim(other, start))).toEqual([false, false, false]);
    // Kept runs of before have no course.
    expect(starts.map((start) => claim(madeUp(asPaper), start))).toEqual([null, null, null]);
  });

  it('judges jitter by the maximum of the round trip less its mean, not by the maximum', () => {
    const swinging = (pair: string, swing: number) =>
      madeUp(() => 70).map(({ job, outcome }) => {
        const isNamed = job.key.startsWith(pair);
        const srttMeanMs = isNamed ? 90 : 60;
        const srttMaxMs = srttMeanMs + (isNamed ? swing : 30) + job.trial / 1000;
        const paths = outcome.paths.map((path) => ({ ...path, srttMeanMs, srttMaxMs }));
        return { job, outcome: { ...outcome, paths } };
      });
    expect(claim(swinging('wvegas+reno', 10), 'wVegas with Reno has the lowest jitter')).toBe(true);
    expect(claim(swinging('wvegas+reno', 50), 'wVegas with Reno has the lowest jitter')).toBe(
      false,
    );
    expect(claim(swinging('olia+bbr', 10), 'OLIA with BBR has the lowest jitter')).toBe(true);
    expect(claim(swinging('olia+bbr', 50), 'OLIA with BBR has the lowest jitter')).toBe(false);
  });

  it('judges the peaks of Figs. 3 and 4, each beside its own value of the text', () => {
    const withPeaks = (swing1: number, hol: (key: string) => number) =>
      madeUp(() => 70).map(({ job, outcome }) => {
        const [one, two] = outcome.paths.map((path) => ({ ...path, srttMeanMs: 60 }));
        if (one === undefined || two === undefined) throw new Error('no paths');
        const noise = job.trial / 1000;
        const paths = [
          { ...one, srttMaxMs: 60 + swing1 + noise },
          { ...two, srttMaxMs: 90 + noise },
        ];
        const holMaxMs = hol(job.key) + noise;
        return { job, outcome: { ...outcome, protocolMaxMs: 150 + noise, holMaxMs, paths } };
      });
    const starts = [
      'The round trip of path 1 swings',
      'That of path 2 swings',
      'The protocol delay peaks',
      'The HoL degree peaks',
    ];
    const ofText = (key: string): number =>
      key.startsWith('wvegas+bbr') ? 125 : key.startsWith('lia+cubic') ? 100 : 80;
    const paper = withPeaks(10, ofText);
    expect(starts.map((start) => claim(paper, start))).toEqual([true, true, true, true]);
    const other = withPeaks(20, () => 200);
    expect(starts.map((start) => claim(other, start))).toEqual([false, true, true, false]);
  });

  it('compares in each combination, not in the mean of all', () => {
    // BALIA leads by far over BBR, and comes last over Reno.
    const results = madeUp((job) =>
      job.key.startsWith('balia') ? (job.key.includes('bbr') ? 90 : 9) : 10,
    );
    expect(claim(results, 'BALIA outperforms')).toBe(false);
  });

  it('needs every pair that a statement names', () => {
    const lowest = (cubic: number) =>
      madeUp((job) =>
        job.key.startsWith('balia+reno') || job.key.startsWith('balia+bbr')
          ? 5
          : job.key.startsWith('balia+cubic')
            ? cubic
            : 10,
      );
    const start = 'BALIA with Reno and with BBR have the lowest average HoL';
    expect(claim(lowest(20), start)).toBe(true);
    expect(claim(lowest(4), start)).toBe(false);
  });

  it('differs if any rival leads beyond chance, also if a noisier one has the highest mean', () => {
    const results = madeUp((job) => {
      if (job.key.startsWith('wvegas')) return job.trial === 1 ? 90 : 1;
      return job.key.startsWith('lia+cubic') ? 12 : 10;
    });
    const start = 'BALIA with Reno has the highest throughput';
    expect(claim(results, start)).toBe(false);
    const { claims } = ccExperiment.report(results, options);
    expect(claims.find(({ paper }) => paper.startsWith(start))?.ours).toContain(
      'above it is LIA with Cubic 12.00 Mbit/s',
    );
  });

  it('is undecided within chance, and estimates the runs that would decide', () => {
    const noise = (job: CcJob): number => 5 + ((job.key.length * 7 + job.trial * 13) % 5);
    const { claims } = ccExperiment.report(madeUp(noise), options);
    const open = claims.filter(({ agrees }) => agrees === null);
    expect(open.length).toBeGreaterThan(0);
    for (const { why } of open)
      expect(why).toMatch(/About \d+ runs|Not decided by|do not have the value/);
    expect(claim([], 'BALIA outperforms')).toBeNull();
    const lacking = madeUp(asPaper).filter(({ job }) => !job.key.startsWith('wvegas+bbr'));
    expect(claim(lacking, 'BALIA outperforms')).toBeNull();
  });
});
