import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { ExperimentOptions } from '../types';
import { aqmExperiment } from './experiment';
import type { AqmJob, AqmOutcome } from './job';

const shipped = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../scenarios/${path}`, import.meta.url)), 'utf8');

const options: ExperimentOptions = { quick: true, seed: 7, trials: 3, read: shipped };
const plan = aqmExperiment.plan(options);

/** Invented outcomes with one metric. */
function madeUp(
  metric: string,
  value: (job: AqmJob) => number,
): { job: AqmJob; outcome: AqmOutcome }[] {
  return plan.map((job) => ({
    job,
    outcome: { metrics: { [metric]: value(job) }, queues: {}, active: {} },
  }));
}

const claim = (results: ReturnType<typeof madeUp>, start: string): boolean | null => {
  const found = aqmExperiment
    .report(results, options)
    .claims.find(({ paper }) => paper.startsWith(start));
  if (found === undefined) throw new Error(`no claim ${start}`);
  return found.agrees;
};

describe('aqmExperiment', () => {
  it('plans the six shipped scenarios, with one seed per trial', () => {
    expect(plan.map(({ scenario, seed }) => `${scenario.name} ${seed}`)).toEqual(
      [7, 8, 9].flatMap((seed) =>
        ['pie-5ms', 'pie-10ms', 'pie-15ms', 'fq-pie-5ms', 'fq-pie-10ms', 'fq-pie-15ms'].map(
          (name) => `${name} ${seed}`,
        ),
      ),
    );
    const [first] = plan;
    const bottleneck = first?.scenario.topology.links.find(({ id }) => id === 'r1-r3');
    expect(bottleneck?.ab.queue).toMatchObject({ discipline: 'pie', targetMs: 5 });
    expect(first?.scenario.durationMs).toBe(30_000);
    const whole = aqmExperiment.plan({ quick: false, seed: 1, read: shipped });
    // Eight trials of each of the four ablations.
    expect(whole).toHaveLength(150 + 4 * 8 * 6);
    expect(whole[0]?.scenario.durationMs).toBe(180_000);
    expect(JSON.stringify(aqmExperiment.plan(options))).toBe(JSON.stringify(plan));
  });

  it('changes one property of the load in each ablation but the last', () => {
    const whole = aqmExperiment.plan({ quick: false, seed: 1, read: shipped });
    const loads = ['call-flows', 'long-calls', 'fast-links', 'earlier-load'].map((ablation) => {
      const one = whole.find((job) => job.ablation === ablation && job.trial === 1);
      const calls = one?.scenario.traffic.find((spec) => spec.calls)?.calls;
      const link = one?.scenario.topology.links.find(({ id }) => id === 'r1-r3');
      return [calls?.ports, calls?.holdMs, link?.ab.rateBps];
    });
    expect(loads).toEqual([
      ['each', 1000, 4_500_000],
      ['one', 10_000, 4_500_000],
      ['one', 1000, 8_000_000],
      ['each', 10_000, 8_000_000],
    ]);
  });

  it('repeats a trial exactly, and measures every metric of the lab', () => {
    const job = plan.find(({ scenario }) => scenario.name === 'pie-15ms');
    if (job === undefined) throw new Error('no plan');
    const short = { ...job, scenario: { ...job.scenario, durationMs: 4000 } };
    const outcome = aqmExperiment.run(short);
    expect(JSON.stringify(aqmExperiment.run(short))).toBe(JSON.stringify(outcome));
    for (const name of [
      ...['videoSwitches', 'averageVideoBitrateBps', 'videoThroughputBps', 'videoBufferMeanMs'],
      ...['audioThroughputBps', 'audioBufferMeanMs', 'pathShare.path1', 'startupDelayMs'],
      ...['queueDelayMeanMs.r1-r3.ab', 'dropRatio.r2-r4.ab', 'linkRateBps.r1-r3.ab'],
      ...['trafficGoodputBps.ftp-2', 'trafficRtpLossRatio.voip-1', 'trafficRequestMeanMs.web-2'],
    ]) {
      expect(outcome.metrics[name], name).toBeTypeOf('number');
    }
    const { rateBps = 0 } =
      short.scenario.topology.links.find(({ id }) => id === 'r1-r3')?.ab ?? {};
    expect(outcome.metrics['linkRateBps.r1-r3.ab']).toBeGreaterThan(0.8 * rateBps);
    expect(outcome.metrics['linkRateBps.r1-r3.ab']).toBeLessThan(1.01 * rateBps);
    expect(outcome.queues['r1-r3']?.length).toBeGreaterThanOrEqual(4);
  });

  it('judges like the lab’s report', () => {
    const isFq = ({ discipline }: AqmJob): boolean => discipline === 'fq-pie';
    const doubled = madeUp('videoThroughputBps', (job) => (isFq(job) ? 2e6 : 1e6) + job.trial);
    expect(claim(doubled, 'FQ-PIE about doubles the throughput of video')).toBe(true);
    const halved = madeUp('videoThroughputBps', (job) => (isFq(job) ? 1e6 : 2e6) + job.trial);
    expect(claim(halved, 'FQ-PIE about doubles the throughput of video')).toBe(false);
    const noise = madeUp('videoSwitches', (job) => 5 + ((job.trial * 7 + job.key.length) % 3));
    expect(claim(noise, 'FQ-PIE has fewer switches')).toBeNull();
    expect(claim([], 'FQ-PIE has fewer switches')).toBeNull();
  });

  it('prints a table and a plot of each figure', () => {
    const delays = madeUp('queueDelayMeanMs.r1-r3.ab', ({ targetMs }) => targetMs);
    const report = aqmExperiment.report(delays, options);
    expect(report.simulated).toBe(true);
    expect(report.figures).toHaveLength(12);
    const row = report.tables[0]?.rows.find(([figure]) => figure === 12);
    expect(row?.slice(2)).toMatchObject(
      [5, 5, 10, 10, 15, 15].map((mean) => ({ count: 3, mean, low: mean, high: mean })),
    );
    expect(JSON.stringify(report)).not.toMatch(/NaN|Infinity/);
  });
});
