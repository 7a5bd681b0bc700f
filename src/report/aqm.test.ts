import { describe, expect, it } from 'vitest';
import { aqmReport, aqmText } from './aqm';
import type { MetricStatistics, Results } from './results/types';

type Means = Readonly<Record<string, number>>;

function statistics(means: Means, spread: number): MetricStatistics[] {
  return Object.entries(means).map(([metric, mean]) => ({
    player: 'dynamic@mptcp',
    metric,
    count: 5,
    mean,
    meanLow: mean - spread,
    meanHigh: mean + spread,
    standardDeviation: 1,
    median: mean,
    medianLow: null,
    medianHigh: null,
    medianConfidence: null,
    min: null,
    max: null,
  }));
}

function results(pie: Means, fqPie: Means, spread = 1): Results {
  const scenario = (name: string, means: Means): Results['scenarios'][number] => ({
    scenario: name,
    title: name,
    source: '',
    description: '',
    players: ['dynamic@mptcp'],
    reference: null,
    runs: [],
    counts: { planned: 5, ok: 5, failed: 0, cut: 0, missing: 0 },
    findings: [],
    trials: [],
    statistics: statistics(means, spread),
    comparisons: [],
    noise: [],
  });
  const scenarios = [5, 10, 15].flatMap((target) => [
    scenario(`pie-${String(target)}ms`, pie),
    scenario(`fq-pie-${String(target)}ms`, fqPie),
  ]);
  return { schemaVersion: 1, generator: '', warnings: [], metrics: [], scenarios };
}

const claim = (of: Results, start: string): { ours: string; agrees: boolean | null } => {
  const found = aqmReport(of).claims.find(({ paper }) => paper.startsWith(start));
  if (found === undefined) throw new Error(`no claim ${start}`);
  return found;
};

describe('aqmReport', () => {
  const doubled = results({ videoThroughputBps: 500_000 }, { videoThroughputBps: 1_000_000 });

  it('scales figures and compares them with what the paper says', () => {
    const figure = aqmReport(doubled).figures.find((one) => one.figure === 4);
    expect(figure?.rows[0]).toMatchObject({
      targetMs: 5,
      pie: { mean: 500 },
      fqPie: { mean: 1000 },
    });
    expect(claim(doubled, 'FQ-PIE about doubles the throughput of video').agrees).toBe(true);
  });

  it('says that ours differs when it does', () => {
    const worse = results({ videoThroughputBps: 1_000_000 }, { videoThroughputBps: 500_000 });
    const told = claim(worse, 'FQ-PIE about doubles the throughput of video');
    expect(told).toMatchObject({ agrees: false, ours: "0.50 times PIE's over all targets" });
  });

  it('does not decide where intervals overlap or figures are missing', () => {
    const noisy = results({ videoSwitches: 10 }, { videoSwitches: 9 }, 3);
    expect(claim(noisy, 'FQ-PIE has fewer switches').agrees).toBeNull();
    expect(claim(noisy, 'FQ-PIE has less jitter')).toMatchObject({ ours: 'not measured' });
  });

  it('holds the queue delay of PIE against each target', () => {
    const delay = { 'queueDelayMeanMs.r1-r3.ab': 9 };
    const report = aqmReport(results(delay, delay));
    const held = report.claims.filter(({ paper }) => paper.includes('R1 to R3'));
    expect(held.map(({ agrees }) => agrees)).toEqual([false, true, false, false]);
    expect(aqmText(report)).toContain('| 10 ms | 9.0 (8.0 to 10.0) | 9.0 (8.0 to 10.0) |');
  });
});
