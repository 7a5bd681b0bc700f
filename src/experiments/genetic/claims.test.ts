import { describe, expect, it } from 'vitest';
import type { ExperimentOptions } from '../types';
import type { Approach } from './approaches';
import { isOfSetUp } from './ablations';
import { geneticClaims } from './claims';
import { geneticExperiment } from './experiment';
import type { ClientOutcome, GeneticJob, GeneticOutcome, StreamJob } from './jobs';
import { GeneticResults } from './results';

const options: ExperimentOptions = { quick: false, seed: 1, trials: 4, read: () => '' };
interface Result {
  job: GeneticJob;
  outcome: GeneticOutcome;
}

/** Outcomes in which each run has the given values, with small differences per trial. */
function made(of: (job: StreamJob) => Partial<ClientOutcome>, own = options): Result[] {
  return geneticExperiment.plan(own).map((job): Result => {
    if (job.kind === 'search') {
      const rest = { paths: 9, evaluations: 5, draws: job.population * 5, fitness: 1 };
      return { job, outcome: { kind: 'search', ...rest } };
    }
    const base = { bitrateBps: 2000e3 + job.seed * 1e3, switches: 9, outageMs: 9000, subflows: 3 };
    return { job, outcome: { kind: 'stream', clients: [{ ...base, ...of(job) }] } };
  });
}

/** Verdicts of the statements whose text has all of some words. */
function verdicts(results: readonly Result[], ...words: string[]): (boolean | null)[] {
  return geneticClaims(new GeneticResults(results.filter(isOfSetUp)))
    .filter(({ paper }) => words.every((word) => paper.includes(word)))
    .map(({ agrees }) => agrees);
}

const genetic = (values: Partial<ClientOutcome>): Result[] =>
  made(({ approach }) => (approach === 'genetic' ? values : {}));

describe('the genetic selection beside the others', () => {
  it('agrees if it is best, differs if it is worst or the same', () => {
    const sayings = ['Genetic streams', 'Genetic switches', 'Genetic has shorter'];
    const best = genetic({ bitrateBps: 2400e3, switches: 1, outageMs: 0 });
    const worst = genetic({ bitrateBps: 1500e3, switches: 20, outageMs: 20_000 });
    for (const says of sayings) {
      expect(new Set(verdicts(best, says))).toEqual(new Set([true]));
      expect(new Set(verdicts(worst, says))).toEqual(new Set([false]));
      expect(
        new Set(
          verdicts(
            made(() => ({})),
            says,
          ),
        ),
      ).toEqual(new Set([false]));
    }
  });

  it('"across all client sets and topologies": one clear exception is enough', () => {
    const results = made(({ approach, topology, clients }) => {
      const isException = topology === 'jellyfish' && clients === 5;
      return approach === 'genetic' ? { bitrateBps: isException ? 1800e3 : 2400e3 } : {};
    });
    expect(verdicts(results, 'higher bitrate', 'all client sets')).toEqual([false]);
    expect(verdicts(results, 'higher bitrate than the other approaches, pooled')).toEqual([true]);
  });

  it('with every buffer: the schedulers are judged apart, on their own networks', () => {
    const results = made(({ approach, scheduler, receiveBufferBytes }) => {
      const isWorse = scheduler === 'daps' && receiveBufferBytes === 512_000;
      return approach === 'genetic' ? { bitrateBps: isWorse ? 1600e3 : 2400e3 } : {};
    });
    expect(verdicts(results, 'higher bitrate', 'every buffer')).toEqual([true, false]);
  });

  it('range: in it, or clearly out of it', () => {
    const says = 'stream at these rates';
    expect(verdicts(genetic({ bitrateBps: 2400e3 }), says)).toEqual([true]);
    expect(verdicts(genetic({ bitrateBps: 2000e3 }), says)).toEqual([false]);
  });
});

describe('the other selections', () => {
  it('names the one with the longest outages on each topology', () => {
    const longest = (of: (topology: string) => Approach): (boolean | null)[] =>
      verdicts(
        made(({ approach, topology }) => (approach === of(topology) ? { outageMs: 50_000 } : {})),
        'outages are longest',
      );
    expect(
      longest((topology) => (topology === 'custom' ? 'partial-delay' : 'partial-bandwidth')),
    ).toEqual([true, true, true]);
    expect(longest(() => 'full-delay')).toEqual([false, false, false]);
  });

  it('sees a decline of the switches with the number of clients', () => {
    const falling = made(({ clients, approach }) =>
      approach === 'genetic' ? {} : { switches: 60 - clients },
    );
    expect(verdicts(falling, 'switch less the more clients')).toEqual([true]);
    expect(verdicts(falling, 'do not switch less')).toEqual([true]);
    const rising = made(({ clients }) => ({ switches: clients }));
    expect(verdicts(rising, 'switch less the more clients')).toEqual([false]);
  });

  it('finds many switches only if both fully disjoint selections have them on every topology', () => {
    const often = (on: readonly string[]): (boolean | null)[] =>
      verdicts(
        made(({ approach, topology, clients }) =>
          approach.startsWith('full') && clients === 10 && on.includes(topology)
            ? { switches: 40 }
            : {},
        ),
        'so often with the fully disjoint',
      );
    expect(often(['compuserve', 'custom', 'jellyfish'])).toEqual([true]);
    expect(often(['compuserve', 'custom'])).toEqual([false]);
  });

  it('compares the losses of bitrate from 5 to 30 clients', () => {
    const loss = (delay: number, bandwidth: number): Result[] =>
      made(({ approach, clients }) => {
        const by = approach.endsWith('delay') ? delay : bandwidth;
        return clients === 30 ? { bitrateBps: 2000e3 - by * 1e3 } : {};
      });
    expect(verdicts(loss(100, 400), 'lose less bitrate')).toEqual([true]);
    expect(verdicts(loss(400, 100), 'lose less bitrate')).toEqual([false]);
  });

  it('judges clients without selection by the paper’s values', () => {
    const without = (values: Partial<ClientOutcome>): (boolean | null)[] =>
      verdicts(
        made(({ approach }) => (approach === 'none' ? values : {})),
        'Without path selection',
      );
    expect(without({ bitrateBps: 1700e3, switches: 7, outageMs: 4000 })).toEqual([
      true,
      true,
      true,
    ]);
    expect(without({ bitrateBps: 2300e3, switches: 20, outageMs: 0 })).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('"up to four times" is from twice to eight times', () => {
    const times = (factor: number): (boolean | null)[] =>
      verdicts(
        made(({ approach, seed }) => ({
          outageMs: (approach === 'genetic' ? 100 : 100 * factor) + seed,
        })),
        'so many times as long',
      );
    expect([times(4), times(1), times(20)]).toEqual([[true], [false], [false]]);
    const one = made(({ approach, topology, clients }) => ({
      outageMs:
        approach !== 'genetic' && topology === 'custom' && clients === 30 ? 900_000 : 90_000,
    }));
    expect(verdicts(one, 'In some networks')).toEqual([true]);
  });
});

describe('schedulers and searches', () => {
  const daps = (values: (job: StreamJob) => Partial<ClientOutcome>): Result[] =>
    made((job) => (job.scheduler === 'daps' ? values(job) : {}));

  it('compares DAPS with minRTT by the size of the paper’s change', () => {
    const asPaper = daps(({ approach }) => ({
      bitrateBps: 2300e3,
      switches: 9 * (approach === 'partial-delay' ? 0.724 : 0.88),
      outageMs: approach.endsWith('delay') ? 8010 : 9000,
    }));
    expect(verdicts(asPaper, 'DAPS')).not.toContain(null);
    expect(verdicts(asPaper, 'DAPS: so many fewer')).toEqual([true, true]);
    expect(verdicts(asPaper, 'DAPS makes outages')).toEqual([true]);
    expect(verdicts(asPaper, 'DAPS does not make')).toEqual([true]);
    // Far shorter is not 11 % shorter.
    const far = daps(() => ({ outageMs: 400 }));
    expect(verdicts(far, 'DAPS makes outages')).toEqual([false]);
    expect(verdicts(far, 'DAPS does not make')).toEqual([false]);
  });

  it('finds gains unlike if one selection has none', () => {
    const gain = (own: number): Result[] =>
      daps(({ approach }) => ({ bitrateBps: approach === 'genetic' ? 2e6 + own : 2.2e6 }));
    expect(verdicts(gain(2e5), 'similar bitrates')).toEqual([true]);
    expect(verdicts(gain(0), 'similar bitrates')).toEqual([false]);
  });

  it('keeps the order of the selections with each scheduler and buffer, or names who turns it', () => {
    const says = 'has so with each other scheduler and buffer';
    const ranked = (of: (job: StreamJob) => number): Result[] =>
      made((job) => ({ bitrateBps: (of(job) + job.seed / 1e3) * 1e6 }));
    const byName = ({ approach }: StreamJob): number =>
      1 + ['partial-delay', 'full-delay', 'full-bandwidth', 'genetic'].indexOf(approach) / 4;
    // All have the same switches and outages: nothing is ordered.
    expect(verdicts(ranked(byName), says)).toEqual([true, null, null]);
    const turned = ranked((job) =>
      job.scheduler === 'daps' && job.receiveBufferBytes === 512_000
        ? 3 - byName(job)
        : byName(job),
    );
    expect(verdicts(turned, says)[0]).toBe(false);
    const [claim] = geneticClaims(new GeneticResults(turned.filter(isOfSetUp))).filter(
      ({ paper }) => paper.includes(says),
    );
    expect(claim?.ours).toContain('contradicted by daps, 512 kB, genetic over ');
    expect(claim?.ours).not.toContain('min-rtt, 512 kB');
  });

  it('judges the growth of a search by its factor', () => {
    const drawing = (draws: (population: number) => number): Result[] =>
      made(() => ({})).map(({ job, outcome }) =>
        job.kind === 'search' && outcome.kind === 'search'
          ? { job, outcome: { ...outcome, draws: draws(job.population) } }
          : { job, outcome },
      );
    const says = 'time of a search';
    expect(
      verdicts(
        drawing((population) => population + 40),
        says,
      ),
    ).toEqual([true]);
    expect(
      verdicts(
        drawing((population) => population),
        says,
      ),
    ).toEqual([false]);
    expect(
      verdicts(
        drawing(() => 100),
        says,
      ),
    ).toEqual([false]);
  });
});

const faster = (one: ClientOutcome): ClientOutcome => ({
  ...one,
  bitrateBps: one.bitrateBps + 100e3,
});

describe('report', () => {
  it('shows what becomes of a difference with a change, and where none was tried', () => {
    const results = made(({ approach, ablation, scheduler }) => ({
      ...(approach === 'none' ? { bitrateBps: ablation === 'one-place' ? 1700e3 : 2300e3 } : {}),
      ...(scheduler === 'daps'
        ? { switches: 30 }
        : ablation === 'mainline'
          ? { switches: 36 }
          : {}),
    }));
    const { claims } = geneticExperiment.report(results, options);
    const why = (word: string): string | undefined =>
      claims.find(({ paper }) => paper.includes(word))?.why;
    expect(why('lowest quality')).toMatch(/^With all clients at one switch it agrees/);
    expect(why('fewer switches with the other')).toMatch(/^With the scheduler of Linux .* agrees/);
    // The network that the controller's changes repeat is not the one that contradicts.
    const few = made(({ approach, clients }) => ({
      bitrateBps: approach === 'genetic' ? (clients === 30 ? 2400e3 : 1800e3) : 2000e3,
    }));
    const elsewhere = few.map(({ job, outcome }) =>
      job.kind === 'stream' && job.ablation === 'per-path' && outcome.kind === 'stream'
        ? { job, outcome: { ...outcome, clients: outcome.clients.map(faster) } }
        : { job, outcome },
    );
    const other = geneticExperiment
      .report(elsewhere, options)
      .claims.find(({ paper }) => paper.includes('other approaches, pooled'));
    expect(other).toMatchObject({ agrees: false });
    expect(other?.why).toMatch(
      /^No change is shown to turn it\. Its trials agree with and without: equation 9 /,
    );
    expect(why('time of a search')).toBe('None of the changes bears on it.');
  });

  it('is undecided without runs, and still draws every figure', () => {
    const quick = { ...options, quick: true };
    const empty = geneticExperiment.report([], quick);
    expect(empty.claims.every(({ agrees }) => agrees === null)).toBe(true);
    const { figures, tables } = geneticExperiment.report(
      made(() => ({}), quick),
      quick,
    );
    expect(figures).toHaveLength(9 + 6 + 1);
    expect(figures.every(({ series }) => series.every(({ points }) => points.length > 0))).toBe(
      true,
    );
    expect(tables.map(({ rows }) => rows.length)).toEqual([3 * 2 * 5 + 1, 2 * 3 * 5, 9]);
    for (const { columns, rows } of tables) {
      expect(rows.every((row) => row.length === columns.length)).toBe(true);
    }
  });
});
