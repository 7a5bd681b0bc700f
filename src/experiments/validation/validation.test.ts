import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../core';
import type { ExperimentOptions } from '../types';
import { trainingExperiment, validationExperiment } from './experiment';
import { carriedMs, pairScenario } from './networks';
import { drawPairs } from './pairs';
import { drawWalk } from './walk';

const scenarios = path.resolve(import.meta.dirname, '../../../scenarios');
const read = (file: string): string => readFileSync(path.join(scenarios, file), 'utf8');
const options: ExperimentOptions = { quick: true, seed: 1, trials: 4, read };

const shareBelow = (rates: readonly number[], limit: number): number =>
  rates.filter((rate) => rate < limit).length / rates.length;

describe('walks', () => {
  it('have outages and weak stretches for about as long as the measured ones', () => {
    const wifi = drawWalk(createRandom(1), 'wifi', 100_000);
    const cellular = drawWalk(createRandom(2), 'cellular', 100_000);
    expect(shareBelow(wifi, 0.05)).toBeGreaterThan(0.12);
    expect(shareBelow(wifi, 0.05)).toBeLessThan(0.25);
    expect(shareBelow(cellular, 0.05)).toBeLessThan(0.04);
    expect(shareBelow(wifi, 0.4) - shareBelow(wifi, 0.05)).toBeGreaterThan(0.08);
  });
});

describe('plan', () => {
  it('has the same pairs every time, other ones in the other set, and no trace in both', () => {
    const training = trainingExperiment.plan(options);
    const validation = validationExperiment.plan({ ...options, trials: 100 });
    expect(trainingExperiment.plan(options)).toEqual(training);
    const sources = (jobs: typeof training): string[] =>
      jobs
        .filter(({ pair }) => pair.kind === 'trace')
        .flatMap(({ pair }) => pair.paths.map(({ source }) => source.split('+')[0] ?? ''));
    const unseen = new Set(sources(validation));
    expect(sources(training).some((source) => unseen.has(source))).toBe(false);
    expect(training[0]?.pair.paths[0].kbps).not.toEqual(validation[0]?.pair.paths[0].kbps);
  });

  it('ignores the seed in the validation set', () => {
    const first = validationExperiment.plan(options);
    expect(validationExperiment.plan({ ...options, seed: 7 })).toEqual(first);
    expect(trainingExperiment.plan({ ...options, seed: 7 })).not.toEqual(
      trainingExperiment.plan(options),
    );
  });

  it('scales the two means to 5.5 Mbit/s together', () => {
    for (const { pair } of trainingExperiment.plan(options)) {
      if (pair.kind === 'other') continue;
      const means = pair.paths.map(
        ({ kbps }) => kbps.reduce((sum, one) => sum + one, 0) / kbps.length,
      );
      expect((means[0] ?? 0) + (means[1] ?? 0)).toBeCloseTo(5500, -1);
    }
  });
});

describe('pairs with losses', () => {
  const jobs = trainingExperiment
    .plan({ ...options, trials: 40 })
    .filter(({ pair }) => pair.kind === 'loss');

  it('lose the carrier of one path again and again, one spell after the other', () => {
    for (const { pair } of jobs) {
      const [spells = [], ...others] = pair.paths.flatMap(({ away }) => (away ? [away] : []));
      expect(others).toEqual([]);
      for (const [index, { fromMs, toMs }] of spells.entries()) {
        expect(toMs).toBeGreaterThanOrEqual(fromMs + 300);
        expect(fromMs).toBeGreaterThan(spells[index - 1]?.toMs ?? 0);
      }
    }
    const wifi = jobs.filter(({ pair }) => pair.paths[0].away);
    expect(wifi.length).toBeGreaterThan(10);
    expect(wifi.length).toBeLessThan(30);
  });

  it('become a scenario whose link goes and comes', () => {
    const [job] = jobs;
    if (job === undefined) throw new Error('no job');
    const spells = job.pair.paths.flatMap(({ away = [] }) => away);
    const { events } = pairScenario(job);
    expect(events).toHaveLength(2 * spells.length);
    expect(events[0]).toMatchObject({ atMs: spells[0]?.fromMs, state: 'down' });
    expect(events[1]).toMatchObject({ atMs: spells[0]?.toMs, state: 'up' });
  });
});

describe('other networks', () => {
  const jobs = trainingExperiment
    .plan({ ...options, trials: 60 })
    .filter(({ pair }) => pair.kind === 'other');
  const spread = (values: readonly number[]): number => Math.max(...values) / Math.min(...values);

  it('have rates, delays and films far apart', () => {
    const films = jobs.flatMap(({ pair }) => pair.film ?? []);
    expect(films).toHaveLength(60);
    const tops = films.map(({ ladderBps }) => ladderBps.at(-1) ?? NaN);
    expect(spread(tops)).toBeGreaterThan(8);
    expect(new Set(films.map(({ segmentMs }) => segmentMs)).size).toBeGreaterThan(3);
    const delays = jobs.flatMap(({ pair }) => pair.paths.map(({ link }) => link?.delayMs ?? NaN));
    expect(spread(delays)).toBeGreaterThan(20);
  });

  it('are the same for sessions of any length', () => {
    const wish = { set: 'training', kind: 'other', count: 3, seed: 2, read } as const;
    const [short, long] = [60, 300].map((seconds) => drawPairs({ ...wish, seconds }));
    const cut = long?.map(({ paths, ...pair }) => ({
      ...pair,
      paths: paths.map((path) => ({ ...path, kbps: path.kbps.slice(0, 120) })),
    }));
    expect(cut).toEqual(short);
  });

  it('are judged in units of one ladder', () => {
    const job = jobs.find(({ pair }) => (pair.film?.ladderBps.at(-1) ?? 0) > 9e6);
    if (job === undefined) throw new Error('no job');
    const { players } = trainingExperiment.run({ ...job, durationMs: 12_000 });
    for (const { qoePerSegment } of players) expect(qoePerSegment).toBeLessThanOrEqual(6);
  });
});

describe('one pair', () => {
  const [job] = trainingExperiment.plan({ ...options, trials: 1 });
  if (job === undefined) throw new Error('no job');
  const short = { ...job, durationMs: 20_000 };

  it('is played by every player, none above the optimum', () => {
    const outcome = trainingExperiment.run(short);
    const { players, optimumQoe } = outcome;
    expect(players.map(({ player }) => player)).toContain('soda@mptcp');
    for (const { qoePerSegment, segments } of players) {
      expect(qoePerSegment).toBeLessThan(optimumQoe ?? 0);
      expect(segments).toBeGreaterThan(0);
    }
    const report = trainingExperiment.report([{ job: short, outcome }], options);
    const [table] = report.tables;
    expect(table?.rows).toHaveLength(players.length);
    const at = table?.columns.findIndex(({ label }) => label.includes('perfect')) ?? -1;
    const shares = new Map(table?.rows.map((row) => [row[0], row[at]]));
    expect(shares.get('perfect-forecast@ranges')).toBe(1);
    expect(shares.get('multipath@ranges')).toEqual(expect.any(Number));
    expect(shares.get('robust-mpc@mptcp')).toBeNull();
  });

  it('counts the time in which a path carries a rate', () => {
    const [wifi, lte] = job.pair.paths;
    const pair = {
      ...job.pair,
      paths: [
        { ...wifi, stepMs: 1000, kbps: [100, 400, 100] },
        { ...lte, stepMs: 1000, kbps: [0, 0, 300] },
      ] as const,
    };
    expect(carriedMs({ ...job, pair }, 300e3, 500, 2500)).toBe(1500);
    const away = [{ fromMs: 1000, toMs: 2000 }];
    const lossy = { ...pair, paths: [{ ...pair.paths[0], away }, pair.paths[1]] as const };
    expect(carriedMs({ ...job, pair: lossy }, 300e3, 500, 2500)).toBe(500);
  });
});
