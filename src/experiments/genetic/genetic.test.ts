import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../session-log';
import type { ExperimentOptions } from '../types';
import { APPROACHES, GENETIC_ABLATIONS } from './approaches';
import { clientOutcome } from './client-outcome';
import { geneticExperiment } from './experiment';
import type { ClientOutcome, GeneticJob, GeneticOutcome, StreamJob } from './jobs';
import { CLIENT_COUNTS } from './link-values';
import { runGenetic } from './run';
import { placeClients } from './set-up';
import { busiestSwitch, switchGraph } from './switch-graph';

const options: ExperimentOptions = { quick: false, seed: 1, read: () => '' };

function streams(jobs: readonly GeneticJob[]): StreamJob[] {
  return jobs.filter((job) => job.kind === 'stream');
}

describe('plan', () => {
  it('has every cell of the paper ten times, no run twice, deterministically', () => {
    const jobs = geneticExperiment.plan(options);
    expect(new Set(jobs.map(({ key }) => key)).size).toBe(jobs.length);
    expect(geneticExperiment.plan(options)).toEqual(jobs);
    const all = streams(jobs).filter(({ ablation }) => ablation === undefined);
    const paths = all.filter(
      ({ scheduler, receiveBufferBytes, approach }) =>
        scheduler === 'min-rtt' && receiveBufferBytes === 256_000 && approach !== 'none',
    );
    // Three topologies, four numbers of clients, five approaches.
    expect(paths).toHaveLength(3 * CLIENT_COUNTS.length * 5 * 10);
    const clientSide = all.filter(
      ({ topology, clients, approach }) =>
        topology === 'compuserve' && clients === 30 && approach !== 'none',
    );
    expect(clientSide).toHaveLength(2 * 3 * 5 * 10);
    expect(all.filter(({ approach }) => approach === 'none')).toHaveLength(10);
    expect(all.every(({ filmMs, joinMs }) => filmMs === 540_000 && joinMs === 4000)).toBe(true);
    expect(new Set(all.map(({ seed }) => seed)).size).toBe(10);
    // The controller's properties, changed one at a time.
    const changed = new Set(streams(jobs).map(({ ablation }) => ablation));
    expect(changed).toEqual(new Set([undefined, ...GENETIC_ABLATIONS]));
  });

  it('takes trials and seed from the options; the quick plan has every approach', () => {
    const jobs = streams(geneticExperiment.plan({ ...options, quick: true, trials: 1, seed: 40 }));
    expect(new Set(jobs.map(({ seed }) => seed))).toEqual(new Set([40]));
    expect(new Set(jobs.map(({ approach }) => approach))).toEqual(new Set(APPROACHES));
  });
});

const job: StreamJob = {
  key: 'tiny',
  kind: 'stream',
  topology: 'compuserve',
  clients: 5,
  approach: 'genetic',
  scheduler: 'min-rtt',
  receiveBufferBytes: 256_000,
  seed: 2,
  filmMs: 8000,
  joinMs: 500,
};

describe('run', () => {
  it('gives every client an outcome, and the same bytes for the same seed', () => {
    const outcome = runGenetic(job);
    expect(JSON.stringify(runGenetic(job))).toBe(JSON.stringify(outcome));
    expect(JSON.stringify(runGenetic({ ...job, seed: 3 }))).not.toBe(JSON.stringify(outcome));
    if (outcome.kind !== 'stream') throw new Error('a stream was asked for');
    expect(outcome.clients).toHaveLength(5);
    for (const { bitrateBps, subflows } of outcome.clients) {
      expect(bitrateBps).toBeGreaterThanOrEqual(1500e3);
      expect(bitrateBps).toBeLessThanOrEqual(2600e3);
      expect(subflows).toBeGreaterThanOrEqual(1);
      expect(subflows).toBeLessThanOrEqual(3);
    }
  });

  it('ends even if each client leaves before the next joins', () => {
    const outcome = runGenetic({ ...job, filmMs: 2000, joinMs: 20_000, approach: 'none' });
    expect(outcome.kind === 'stream' && outcome.clients.length).toBe(5);
  });

  it('counts the steps of a search: more for a larger population', () => {
    const search = (population: number): GeneticOutcome =>
      runGenetic({ key: '', kind: 'search', topology: 'custom', population, seed: 1 });
    const [small, large] = [search(10), search(100)];
    if (small.kind !== 'search' || large.kind !== 'search') throw new Error('not a search');
    expect(small.paths).toBe(large.paths);
    expect(large.evaluations).toBeGreaterThan(small.evaluations);
    expect(large.draws).toBeGreaterThan(5 * small.draws);
    expect(small.evaluations).toBeLessThanOrEqual(10 * 20 + 31 * 11);
    expect(large.fitness).toBeGreaterThanOrEqual(small.fitness);
  });

  it('puts clients anywhere but at the server', () => {
    const graph = switchGraph('custom', 1);
    const placed = placeClients(graph, 30, 9);
    expect(placed).toHaveLength(30);
    expect(placed).not.toContain(busiestSwitch(graph));
    expect(placeClients(graph, 30, 9)).toEqual(placed);
  });
});

describe('outcome of a client', () => {
  const request = (rung: number, bitrateBps: number): LogEvent =>
    ({ type: 'request', kind: 'media', outcome: 'ok', rung, bitrateBps }) as unknown as LogEvent;
  const stall = (phase: 'start' | 'end', monotonicMs: number): LogEvent => ({
    type: 'stall',
    phase,
    monotonicMs,
  });

  it('adds up rung changes between requests, and outages including the last', () => {
    const log = [
      request(0, 1e6),
      request(3, 3e6),
      request(2, 2e6),
      stall('start', 1000),
      stall('end', 1500),
      stall('start', 4000),
      { type: 'end', monotonicMs: 6000, reason: 'time-up' } as LogEvent,
    ];
    expect(clientOutcome(log, 2)).toEqual({
      bitrateBps: 2e6,
      switches: 4,
      outageMs: 2500,
      subflows: 2,
    });
    expect(clientOutcome([], 1)).toMatchObject({ bitrateBps: 0, switches: 0 });
  });
});

describe('report', () => {
  const quick = { ...options, quick: true };

  /** Outcomes in which each approach has the given values, with small differences per trial. */
  function made(
    of: (job: StreamJob) => Partial<ClientOutcome>,
  ): { job: GeneticJob; outcome: GeneticOutcome }[] {
    return geneticExperiment.plan(quick).map((one) => {
      if (one.kind === 'search') {
        const { population } = one;
        return {
          job: one,
          outcome: { kind: 'search', paths: 9, evaluations: 5, draws: population * 5, fitness: 1 },
        };
      }
      const base = { bitrateBps: 2000e3 + one.seed * 1e3, switches: 5, outageMs: 100, subflows: 3 };
      return { job: one, outcome: { kind: 'stream', clients: [{ ...base, ...of(one) }] } };
    });
  }
  const verdicts = (results: ReturnType<typeof made>, place: string): (boolean | null)[] =>
    geneticExperiment
      .report(results, quick)
      .claims.filter((claim) => claim.place === place)
      .map(({ agrees }) => agrees);

  it('agrees if the genetic selection is best, differs if it is worst', () => {
    const best = made(({ approach, seed }) =>
      approach === 'genetic' ? { bitrateBps: 2400e3 + seed, switches: 1, outageMs: 0 } : {},
    );
    expect(verdicts(best, 'Fig. 4')).toEqual([true, true, true, true, true]);
    expect(verdicts(best, 'Fig. 5').slice(0, 4)).toEqual([true, true, true, true]);
    expect(verdicts(best, 'Figs. 7 to 9')).toEqual([true]);
    expect(verdicts(best, 'Section IV-B-1')).toEqual([true]);
    const worst = made(({ approach }) =>
      approach === 'genetic' ? { bitrateBps: 1500e3, switches: 9, outageMs: 9000 } : {},
    );
    expect(verdicts(worst, 'Fig. 4')).toEqual([false, false, false, false, false]);
    expect(verdicts(worst, 'Fig. 6').slice(0, 4)).toEqual([false, false, false, false]);
    expect(verdicts(worst, 'Figs. 7 to 9')).toEqual([false]);
  });

  it('agrees about Fig. 10 if the steps grow with the population on every topology', () => {
    const growing = made(() => ({}));
    expect(verdicts(growing, 'Fig. 10')).toEqual([true]);
    const level = growing.map(({ job, outcome }) =>
      job.kind === 'search' && job.topology === 'jellyfish' && outcome.kind === 'search'
        ? { job, outcome: { ...outcome, draws: 1000 } }
        : { job, outcome },
    );
    expect(verdicts(level, 'Fig. 10')).toEqual([false]);
    expect(verdicts([], 'Fig. 10')).toEqual([null]);
  });

  it('compares DAPS with minRTT, and names the approach with the longest outage', () => {
    const results = made(({ scheduler, approach, topology, seed }) => ({
      ...(scheduler === 'daps' ? { bitrateBps: 2300e3, switches: 4, outageMs: 60 + seed } : {}),
      ...(approach === (topology === 'custom' ? 'partial-delay' : 'full-delay')
        ? { outageMs: 900 }
        : {}),
    }));
    expect(verdicts(results, 'Fig. 7')).toEqual([true]);
    expect(verdicts(results, 'Fig. 8')).toEqual([true, true]);
    // Shorter also where it should not be.
    expect(verdicts(results, 'Fig. 9').at(-1)).toBe(false);
    expect(verdicts(results, 'Fig. 6').slice(4)).toEqual([false, true, false]);
  });

  it('differs if the path selection and the scheduler change nothing', () => {
    const same = made(() => ({}));
    expect(verdicts(same, 'Fig. 4').slice(0, 4)).toEqual(Array(4).fill(false));
    expect(verdicts(same, 'Fig. 5').slice(0, 4)).toEqual(Array(4).fill(false));
    expect(verdicts(same, 'Fig. 6').slice(0, 4)).toEqual(Array(4).fill(false));
    expect(verdicts(same, 'Fig. 7')).toEqual([false]);
    expect(verdicts(same, 'Fig. 8')).toEqual([false, false]);
    expect(verdicts(same, 'Fig. 9')).toEqual([false, true]);
  });

  it('judges statements about sizes by intervals too', () => {
    const outages = (other: (seed: number) => number): ReturnType<typeof made> =>
      made(({ approach, seed }) => ({
        outageMs: approach === 'genetic' ? 100 + seed : approach === 'none' ? 0 : other(seed),
      }));
    expect(
      verdicts(
        outages(() => 400),
        'Fig. 6a',
      ),
    ).toEqual([true]);
    expect(
      verdicts(
        outages(() => 120),
        'Fig. 6a',
      ),
    ).toEqual([false]);
    expect(
      verdicts(
        outages((seed) => (seed === 1 ? 1000 : 0)),
        'Fig. 6a',
      ),
    ).toEqual([null]);
    const wide = made(({ seed }) => ({ bitrateBps: seed === 1 ? 2600e3 : 2250e3 }));
    expect(verdicts(wide, 'Fig. 4').at(-1)).toBeNull();
  });

  it('is undecided without runs, and still draws every figure', () => {
    const empty = geneticExperiment.report([], quick);
    expect(empty.claims.every(({ agrees }) => agrees === null)).toBe(true);
    const { figures, tables } = geneticExperiment.report(
      made(() => ({})),
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
