import { describe, expect, it } from 'vitest';
import type { Results, TrialResult } from '../../report/results/types';
import { isWithin } from '../estimate';
import { delaySeries, queueSeconds, START_SECONDS, type QueueSamples } from './delay-series';
import type { ExperimentClaim } from '../report/types';
import { aqmFindings } from './findings';
import type { DelaySeries } from './types';

type Means = Readonly<Record<string, number>>;

/** Trials from `spread` below the means to `spread` above. */
function trialsOf(means: Means, spread: number, count: number): TrialResult[] {
  return Array.from({ length: count }, (_, index) => ({
    run: 'run',
    folder: `trials/${index + 1}`,
    number: index + 1,
    player: 'dynamic@mptcp',
    trial: index + 1,
    seed: index + 1,
    status: 'ok',
    problems: [],
    metrics: Object.fromEntries(
      Object.entries(means).map(([metric, mean]) => [
        metric,
        mean + spread * ((2 * index) / Math.max(count - 1, 1) - 1),
      ]),
    ),
    optimum: null,
  }));
}

function results(pie: Means, fqPie: Means, spreads = { pie: 0, fqPie: 0 }, count = 3): Results {
  const scenario = (name: string, trials: TrialResult[]): Results['scenarios'][number] => ({
    scenario: name,
    title: name,
    source: '',
    description: '',
    players: ['dynamic@mptcp'],
    reference: null,
    runs: [{ folder: name, startedAt: '2026-01-01T12:00:00.000Z', machine: { kernel: '6.18' } }],
    counts: { planned: count, ok: count, failed: 0, cut: 0, missing: 0 },
    findings: [],
    trials,
    statistics: [],
    comparisons: [],
    noise: [],
  });
  const scenarios = [5, 10, 15].flatMap((target) => [
    scenario(`pie-${target}ms`, trialsOf(pie, spreads.pie, count)),
    scenario(`fq-pie-${target}ms`, trialsOf(fqPie, spreads.fqPie, count)),
  ]);
  return { schemaVersion: 1, generator: 'test', warnings: [], metrics: [], scenarios };
}

const claim = (of: Results, start: string): ExperimentClaim => {
  const found = aqmFindings(of).claims.find(({ paper }) => paper.startsWith(start));
  if (found === undefined) throw new Error(`no claim ${start}`);
  return found;
};

describe('aqmFindings', () => {
  const doubled = results({ videoThroughputBps: 500_000 }, { videoThroughputBps: 1_000_000 });

  it('scales figures and compares them with the paper', () => {
    const figure = aqmFindings(doubled).figures.find((one) => one.figure === 4);
    expect(figure?.rows[0]).toMatchObject({
      targetMs: 5,
      pie: { mean: 500, count: 3 },
      fqPie: { mean: 1000 },
    });
    expect(claim(doubled, 'FQ-PIE about doubles the throughput of video')).toMatchObject({
      ours: "2.00 times PIE's (2.00 to 2.00), 3 trials",
      agrees: true,
    });
  });

  it('reports a difference', () => {
    const worse = results({ videoThroughputBps: 1_000_000 }, { videoThroughputBps: 500_000 });
    expect(claim(worse, 'FQ-PIE about doubles the throughput of video').agrees).toBe(false);
  });

  it('is undecided if noise exceeds the difference, or figures are missing', () => {
    const spreads = { pie: 3, fqPie: -3 };
    const noisy = results({ videoSwitches: 10 }, { videoSwitches: 9 }, spreads);
    expect(claim(noisy, 'FQ-PIE has fewer switches').agrees).toBeNull();
    expect(claim(noisy, 'FQ-PIE has less jitter')).toMatchObject({ ours: 'not measured' });
  });

  it('does not count the common effect of a seed as noise', () => {
    const spreads = { pie: 3, fqPie: 3 };
    const paired = results({ videoSwitches: 10 }, { videoSwitches: 9 }, spreads);
    expect(claim(paired, 'FQ-PIE has fewer switches').agrees).toBe(true);
  });

  it('is undecided with a single trial, and where a part of the interval is outside', () => {
    expect(isWithin({ low: null, high: null }, 1.6, 2.5)).toBeNull();
    expect(isWithin({ low: 1.5, high: 2.5 }, 1.6, 2.5)).toBeNull();
  });

  it('ignores invalid trials', () => {
    const bad = results({ videoSwitches: 4 }, { videoSwitches: 4 });
    const [first] = bad.scenarios[0]?.trials ?? [];
    if (first) first.status = 'failed';
    const figure = aqmFindings(bad).figures.find((one) => one.figure === 2);
    expect(figure?.rows[0]?.pie.count).toBe(2);
    // The first seed has two targets.
    expect(figure?.ratio?.trials).toBe(3);
  });
});

describe('FQ-PIE’s queue', () => {
  const queue = (
    discipline: 'pie' | 'fq-pie',
    meansMs: readonly number[],
    targetMs = 5,
  ): DelaySeries => {
    const mean = meansMs.reduce((sum, one) => sum + one, 0) / meansMs.length;
    const points = [...Array<number>(START_SECONDS).fill(90), ...meansMs].map((meanMs) => ({
      ...{ meanMs, lowMs: null, highMs: null },
    }));
    const steady = { count: 3, mean, low: mean - 0.1, high: mean + 0.1 };
    return { figure: 12, discipline, targetMs, trials: 3, points, steady };
  };
  const verdictsOf = (pieMs: number, fqPieMs: readonly number[]): (boolean | null)[] => {
    const none = results({}, {});
    const delays = [queue('pie', [pieMs]), queue('fq-pie', fqPieMs)];
    return aqmFindings(none, delays)
      .claims.filter(({ place, paper }) => place === 'Fig. 12' && paper.includes('FQ-PIE'))
      .map(({ agrees }) => agrees);
  };

  it('oscillates from 10 to 20 ms if nine of ten seconds do, whatever the mean', () => {
    expect(verdictsOf(5, [11, 19, 11, 19])[0]).toBe(true);
    expect(verdictsOf(5, [2, 28, 2, 28])[0]).toBe(false);
  });

  it('is not significantly higher up to four times PIE’s', () => {
    expect(verdictsOf(5, [19, 19])[1]).toBe(true);
    expect(verdictsOf(5, [25, 25])[1]).toBe(false);
    expect(verdictsOf(5, [20, 20])[1]).toBeNull();
    // The other targets have no delays here.
    expect(verdictsOf(5, [19, 19]).slice(2, 4)).toEqual([null, null]);
  });

  it('is controlled worse if its mean is further from each target than PIE’s', () => {
    const control = (fqPieMs: (targetMs: number) => number): boolean | null | undefined => {
      const delays = [5, 10, 15].flatMap((targetMs) => [
        queue('pie', [targetMs + 1], targetMs),
        queue('fq-pie', [fqPieMs(targetMs)], targetMs),
      ]);
      return aqmFindings(results({}, {}), delays).claims.find(({ place }) => place === 'Section V')
        ?.agrees;
    };
    expect(control((targetMs) => targetMs - 2)).toBe(true);
    expect(control((targetMs) => (targetMs === 10 ? 10 : targetMs + 3))).toBe(false);
    expect(control((targetMs) => targetMs - 1)).toBeNull();
    expect(control((targetMs) => (targetMs === 10 ? NaN : targetMs + 3))).toBeNull();
  });
});

it('judges a more stable bitrate by the sizes of all switches, not by the bitrate', () => {
  const bitrate = { averageVideoBitrateBps: 300e3 };
  const calmer = results(
    { ...bitrate, videoSwitchMagnitudeBps: 1500e3 },
    { averageVideoBitrateBps: 600e3, videoSwitchMagnitudeBps: 1000e3 },
  );
  expect(claim(calmer, "FQ-PIE's bitrate is more stable")).toMatchObject({
    place: 'Fig. 3',
    agrees: true,
  });
  const wilder = results(
    { ...bitrate, videoSwitchMagnitudeBps: 1500e3 },
    { ...bitrate, videoSwitchMagnitudeBps: 2000e3 },
  );
  expect(claim(wilder, "FQ-PIE's bitrate is more stable").agrees).toBe(false);
});

it('counts the stalls of both', () => {
  const fewer = results({ stalls: 8 }, { stalls: 5 });
  expect(claim(fewer, 'PIE causes intermittent buffering').agrees).toBe(true);
});

describe('delaySeries', () => {
  const direction = (packets: number, delayMs: number): object => ({
    queueDelayMeanUs: delayMs * 1000,
    outPackets: packets,
    outBytes: packets * 1000,
    queueDrops: 0,
    inPackets: packets,
  });
  const log = (delayMs: number, toMs: number): QueueSamples => ({
    fromMs: 0,
    toMs,
    samples: [0, 1, 2, 3, 4, 5].map((half) => ({
      monotonicMs: half * 500,
      links: [
        { name: 'r1-r3', ab: direction(half * 10, delayMs), ba: direction(0, 0) },
        { name: 'r2-r4', ab: direction(0, 0), ba: direction(0, 0) },
      ] as never,
    })),
  });

  it('averages trials per second, over their common length', () => {
    const [first, second] = delaySeries('pie', 5, [log(4, 2500), log(6, 1500)].map(queueSeconds));
    expect(first?.points).toHaveLength(1);
    expect(first?.points[0]?.meanMs).toBe(5);
    expect(first?.points[0]?.highMs).toBeGreaterThan(5);
    expect(second?.points[0]?.meanMs).toBeNull();
  });

  it('leaves the start out of the mean', () => {
    const seconds = [...Array<number>(10).fill(100), 4, 6];
    const [first] = delaySeries('pie', 5, [{ 'r1-r3': seconds }, { 'r1-r3': seconds }]);
    expect(first?.steady.mean).toBe(5);
    expect(first?.active).toBeUndefined();
  });
});
