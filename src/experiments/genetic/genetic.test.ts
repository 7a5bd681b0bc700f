import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../session-log';
import type { ExperimentOptions } from '../types';
import { APPROACHES, GENETIC_ABLATIONS } from './approaches';
import { clientOutcome } from './client-outcome';
import { geneticExperiment } from './experiment';
import type { GeneticJob, GeneticOutcome, StreamJob } from './jobs';
import { CLIENT_COUNTS } from './link-values';
import { runGenetic } from './run';
import { placeClients, streamSetUp } from './set-up';
import { busiestSwitch, neighbours, switchGraph } from './switch-graph';

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
    const schedulers = streams(jobs).filter(({ ablation }) => ablation === 'mainline');
    expect(new Set(schedulers.map(({ scheduler }) => scheduler))).toEqual(new Set(['mainline']));
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

  it('changes the places with an ablation, and nothing else', () => {
    const base = streamSetUp(job);
    const together = streamSetUp({ ...job, ablation: 'one-place' });
    expect(new Set(together.places).size).toBe(1);
    expect(new Set(base.places).size).toBeGreaterThan(1);
    const atEdge = streamSetUp({ ...job, ablation: 'edge-server' });
    const linksOf = (server: number): number => neighbours(base.graph, server).length;
    expect(linksOf(atEdge.server)).toBeLessThan(linksOf(base.server));
    expect(atEdge.places).not.toContain(atEdge.server);
    for (const changed of [together, atEdge]) {
      expect([changed.graph, changed.links]).toEqual([base.graph, base.links]);
    }
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
