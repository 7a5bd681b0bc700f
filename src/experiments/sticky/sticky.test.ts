import { describe, expect, it } from 'vitest';
import type { ExperimentClaim, ExperimentOptions } from '../types';
import type { StickyJob, StickyOutcome } from './run-sticky';
import type { StickyScenario } from './set-up';
import { BUFFERS } from './set-up';
import { stickyExperiment } from './sticky-experiment';

const options: ExperimentOptions = {
  quick: true,
  seed: 7,
  read: (path) => {
    throw new Error(`nothing is read: ${path}`);
  },
};

describe('the plan of sticky', () => {
  const jobs = stickyExperiment.plan(options);

  it('has every scheduler with every control in every scenario, as often as requested', () => {
    expect(jobs.length).toBe(6 * 48);
    expect(new Set(jobs.map(({ key }) => key)).size).toBe(jobs.length);
    expect(stickyExperiment.plan({ ...options, trials: 2 }).length).toBe(2 * 48);
    const whole = stickyExperiment.plan({ ...options, quick: false });
    // TR-STY as printed: 12. Other ablations: twice 16 of the base scenario, twice those and 8 of 3p-50, 4 of TR-STY.
    expect(whole.length).toBe(80 * 48 + 40 * 12 + 10 * (2 * 16 + 2 * 24 + 4));
    expect(new Set(whole.map(({ key }) => key)).size).toBe(whole.length);
    expect(whole[0]?.filmMs).toBe(624_000);
  });

  it('is plain data and equal for equal options', () => {
    expect(JSON.parse(JSON.stringify(jobs))).toEqual(jobs);
    expect(stickyExperiment.plan(options)).toEqual(jobs);
    expect(new Set(jobs.map(({ seed }) => seed))).toEqual(new Set([7, 8, 9, 10, 11, 12]));
  });

  it('has the paths of Table II, and losses on the two wireless flows', () => {
    const pathsOf = (id: string) => jobs.find(({ scenario }) => scenario.id === id)?.scenario.paths;
    const path = (rttMs: number, lossRatio: number) => ({ rttMs, rateBps: 2e6, lossRatio });
    expect(pathsOf('base')).toEqual([path(50, 0.001), path(100, 0.001), path(100, 0)]);
    const both = expect.closeTo(0.02098, 6) as number;
    expect(pathsOf('3p-50')).toEqual([path(50, both), path(100, 0.001), path(100, 0)]);
    expect(pathsOf('3p-150')).toEqual([path(150, both), path(200, 0.001), path(200, 0)]);
  });
});

describe('a job of sticky', () => {
  const job = (rateBps: number, changes: Partial<StickyJob> = {}): StickyJob => {
    const path = { rttMs: 40, rateBps, lossRatio: 0 };
    const scenario: StickyScenario = { id: 'base', paths: [path, path, path], ...BUFFERS };
    const filmMs = 10_000;
    const common = { key: 'one', control: 'Cubic', scheduler: 'DFT', seed: 1 } as const;
    return { ...common, scenario, filmMs, ...changes };
  };

  it('plays without underflow if each path alone is faster than the film', () => {
    const outcome = stickyExperiment.run(job(20e6));
    expect(outcome).toMatchObject({ frames: 240, discards: 0, underflows: 0, frozenMs: 0 });
    // 6.55 MB and a header in segments of 1420 bytes.
    expect(outcome.packets).toBeGreaterThanOrEqual(4613);
    expect(outcome.packets).toBeLessThan(5000);
    expect(outcome.throughputBps.length).toBe(3);
    expect(outcome.pathSwitches).toBeGreaterThan(0);
    expect(outcome.pathSwitches).toBeLessThan(outcome.packets);
  });

  it('discards and freezes if all paths together are slower, and reports the carried bytes', () => {
    const outcome = stickyExperiment.run(job(1e6));
    expect(outcome.discards).toBeGreaterThan(0);
    expect(outcome.underflows).toBeGreaterThan(0);
    // 52.4 Mbit at 3 Mbit/s minus headers (5.3 %) are at least 18.4 s, of which 10 s are film.
    expect(outcome.frozenMs + outcome.startDelayMs).toBeGreaterThan(8000);
    const sum = outcome.throughputBps.reduce((all, bps) => all + bps, 0);
    expect(sum).toBeGreaterThan(2.5e6);
    expect(sum).toBeLessThan(3e6 * (1420 / 1500));
  });

  it('gives the same bytes for the same seed, and others for another', () => {
    const lossy = (seed: number): string => {
      const path = { rttMs: 50, rateBps: 2e6, lossRatio: 0.02 };
      const scenario: StickyScenario = { id: '3p-50', paths: [path, path, path], ...BUFFERS };
      return JSON.stringify(
        stickyExperiment.run(job(2e6, { scenario, seed, scheduler: 'TP-STY' })),
      );
    };
    expect(lossy(3)).toBe(lossy(3));
    expect(lossy(3)).not.toBe(lossy(4));
  });
});

describe('an ablation of sticky', () => {
  const whole = stickyExperiment.plan({ ...options, quick: false, trials: 3 });
  const outcome: StickyOutcome = {
    frames: 2880,
    discards: 30,
    underflows: 20,
    frozenMs: 1000,
    startDelayMs: 1500,
    pathSwitches: 1000,
    packets: 50_000,
    throughputBps: [1.8e6, 1.7e6, 1.6e6],
    retransmitShare: [0.02, 0, 0],
  };
  const claim = 'Base, Cubic: clearly fewer buffer underflows with GR-STY than with DFT';

  it('that makes a statement agree is named as its cause', () => {
    const results = whole.map((job) => {
      const isBetter = job.ablation === 'small-receive-buffer' && job.scheduler === 'GR-STY';
      const underflows = (isBetter ? 10 : 20) + (job.seed % 2);
      return { job, outcome: { ...outcome, underflows } };
    });
    const { claims, tables } = stickyExperiment.report(results, options);
    const found = claims.find(({ paper }) => paper === claim);
    expect(found?.agrees).toBe(false);
    expect(found?.why).toMatch(
      /^With a receive buffer of 256 KiB in place of 512 KiB it agrees: 10/,
    );
    expect(found?.why).not.toContain('Wi-Fi');
    for (const { columns, rows } of tables)
      for (const row of rows) expect(row.length).toBe(columns.length);
  });

  it('counts only where its cells were simulated, TR-STY as printed only where it changes a value', () => {
    const results = whole.map((job) => ({
      job,
      outcome: { ...outcome, underflows: 20 + (job.seed % 2) },
    }));
    const { claims } = stickyExperiment.report(results, options);
    const lossy = claims.find(
      ({ paper }) => paper === '3p-50, Cubic: fewer buffer underflows with TR-STY than with DFT',
    );
    expect(lossy?.why).toBe(
      'It differs still with each of: a receive buffer of 256 KiB in place of 512 KiB; queues of 200 kB in place of 60 kB.',
    );
  });

  it('of two properties counts only where neither one alone makes the statement agree', () => {
    const paper = 'Base: more path switches with TR-STY than with TP-STY';
    const whyWith = (turning: readonly (string | undefined)[]) => {
      const results = whole.map((job) => {
        const isMore = job.scheduler === 'TR-STY' && turning.includes(job.ablation);
        const pathSwitches =
          (isMore ? 1200 : 1000) + (job.seed % 2) + job.scenario.paths[0].lossRatio;
        return { job, outcome: { ...outcome, pathSwitches } };
      });
      const { claims } = stickyExperiment.report(results, options);
      return claims.find((one) => one.paper === paper)?.why;
    };
    const both = 'With TR-STY as printed and no losses on Wi-Fi (two changes) it agrees:';
    expect(whyWith(['tr-sty-printed-no-wifi-loss'])).toContain(both);
    const one = whyWith(['tr-sty-printed-no-wifi-loss', 'tr-sty-printed']);
    expect(one).toContain('With TR-STY as printed (moves to a longer round trip) it agrees:');
    expect(one).not.toContain('two changes');
  });

  it('changes one property of its jobs', () => {
    const of = (ablation: string) => whole.find((job) => job.ablation === ablation);
    expect(of('no-wifi-loss')?.scenario.paths.map(({ lossRatio }) => lossRatio)).toEqual([0, 0, 0]);
    expect(of('deep-queues')?.scenario.queueBytes).toBe(200_000);
    const filmMs = 10_000;
    const trials = ['tr-sty-printed', undefined].map((ablation) => {
      const job = whole.find((one) => one.ablation === ablation && one.scheduler === 'TR-STY');
      return job === undefined ? undefined : stickyExperiment.run({ ...job, filmMs });
    });
    expect(trials[0]).not.toEqual(trials[1]);
  });
});

describe('the report of sticky', () => {
  /** Invented outcomes by cell: values by job, with a little noise that pairs share. */
  const report = (
    discardsOf: (job: StickyJob) => number,
    switchesOf: (job: StickyJob) => number,
  ) => {
    const jobs = stickyExperiment.plan({ ...options, trials: 5 });
    const results = jobs.map((job) => {
      const noise = job.seed % 3;
      const outcome: StickyOutcome = {
        frames: 2880,
        discards: discardsOf(job) + noise,
        underflows: 10 + noise,
        frozenMs: 1000,
        startDelayMs: 1500,
        pathSwitches: switchesOf(job) + 10 * noise,
        packets: 50_000,
        throughputBps: [1.8e6, 1.7e6, 1.6e6],
        retransmitShare: [0.02, 0, 0],
      };
      return { job, outcome };
    });
    return stickyExperiment.report(results, options);
  };

  const find = (claims: readonly ExperimentClaim[], paper: string): ExperimentClaim | undefined =>
    claims.find((claim) => claim.paper === paper);

  it('agrees if the invented outcomes match the paper', () => {
    const { claims } = report(
      ({ scenario, control, scheduler }) => {
        const isCubic = control === 'Cubic';
        if (scenario.id === 'base') {
          const isSticky = scheduler === 'GR-STY' || scheduler === 'TP-STY';
          return isSticky === isCubic ? 20 : 40;
        }
        return (isCubic || control === 'Compound') && scheduler === 'TR-STY' ? 100 : 150;
      },
      ({ scheduler }) => ({ DFT: 1000, 'GR-STY': 500, 'TP-STY': 700, 'TR-STY': 950 })[scheduler],
    );
    for (const paper of [
      'Base, Cubic: clearly fewer picture discards with GR-STY than with DFT',
      'Base, Cubic: picture discards with TR-STY similar to DFT',
      'Base, LIA: fewer picture discards with DFT and TR-STY than with GR-STY and TP-STY',
      'Base: fewer path switches with GR-STY than with TP-STY',
      'Base: more path switches with TR-STY than with TP-STY',
      'Base: path switches with TR-STY closely follow those of DFT: they differ less from it than those of GR-STY and TP-STY',
      'Base, Cubic: DFT favours flow 1 over flow 3',
      'Loss on the shortest path: more picture discards in 3p-50 than in base (mean of all)',
      '3p-50, Compound: fewer picture discards with TR-STY than with DFT',
      '3p-150, OLIA: picture discards similar across all schedulers',
      'Base: with one control at least, another scheduler than the one with fewest path switches has fewer picture discards',
      'Mean of the scenarios, Cubic and Compound: fewer picture discards with one sticky scheduler at least than with DFT',
      'Mean of the scenarios: fewer path switches with the sticky schedulers than with DFT, with each control',
    ]) {
      expect(find(claims, paper), paper).toMatchObject({ agrees: true });
    }
    // All schedulers have the same underflows.
    expect(
      find(claims, 'Base, Cubic: clearly fewer buffer underflows with GR-STY than with DFT'),
    ).toMatchObject({ agrees: false });
  });

  it('differs if they are the opposite', () => {
    const { claims } = report(
      ({ scheduler }) => (scheduler === 'DFT' ? 20 : 60),
      ({ scheduler }) => (scheduler === 'GR-STY' ? 2000 : 1000),
    );
    for (const paper of [
      'Base, Cubic: clearly fewer picture discards with TP-STY than with DFT',
      'Base, Cubic: picture discards with TR-STY similar to DFT',
      'Base: fewer path switches with GR-STY than with TR-STY',
      '3p-50, LIA: picture discards similar across all schedulers',
      'Mean of the scenarios, LIA and OLIA: picture discards similar across all schedulers',
      'Mean of the scenarios: fewer picture discards with the sticky schedulers than with DFT, with most controls',
      'Mean of the scenarios: fewer path switches with the sticky schedulers than with DFT, with each control',
    ]) {
      expect(find(claims, paper), paper).toMatchObject({ agrees: false });
    }
  });

  it('has a row, a bar and an interval for every cell', () => {
    const { tables, figures, simulated } = report(
      () => 30,
      () => 1000,
    );
    expect(simulated).toBe(true);
    expect(tables.map(({ rows }) => rows.length)).toEqual([12, 12, 12, 48, 48]);
    for (const { columns, rows } of tables) {
      for (const row of rows) expect(row.length).toBe(columns.length);
    }
    expect(figures.length).toBe(9 + 12);
    for (const { x, series } of figures) {
      for (const { points } of series) expect(points.length).toBe(x.names?.length);
    }
    // Trials 7 to 11 have noise of 1, 2, 0, 1, 2.
    expect(tables[1]?.rows[0]?.[2]).toMatchObject({ count: 5, mean: 31.2 });
  });

  it('works with partial outcomes, even with none', () => {
    const empty = stickyExperiment.report([], options);
    expect(empty.claims.every(({ agrees }) => agrees === null)).toBe(true);
    expect(JSON.stringify(empty)).not.toContain('NaN');
    expect(empty.figures.every(({ series }) => series.every(({ points }) => points.length === 0)));
  });
});
