import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { renderExperiment } from '../report/page';
import { experimentText } from '../report/text';
import type { ExperimentRun } from '../report/types';
import type { AqmJob, AqmOutcome } from './job';
import { aqmKernelExperiment } from './kernel';

const RUN: ExperimentRun = {
  ...{ generator: 'test', startedAt: 'today', quick: true, seed: 1, machine: {} },
  jobs: { planned: 18, done: 18, failed: 0 },
};
const shipped = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../scenarios/${path}`, import.meta.url)), 'utf8');
const options = { quick: true, seed: 1, trials: 3, read: shipped };
const jobs = aqmKernelExperiment.plan(options);

/** The same delay in each second of a trial, 0.1 ms more from trial to trial, as both the metric and the queue's. */
function made(delayMs: number): { job: AqmJob; outcome: AqmOutcome }[] {
  return jobs.map((job) => {
    const ms = delayMs + 0.1 * (job.trial - 2);
    const seconds = Array<number>(20).fill(ms);
    const metrics = { 'queueDelayMeanMs.r1-r3.ab': ms };
    return { job, outcome: { metrics, queues: { 'r1-r3': seconds }, active: {} } };
  });
}

describe('experiment aqm in the lab', () => {
  it('has the trials of the simulated one, and after them all changes of the load at once', () => {
    const whole = aqmKernelExperiment.plan({ ...options, quick: false, trials: 6 });
    expect(whole.map(({ ablation }) => ablation)).toEqual([
      ...Array<undefined>(6 * 6).fill(undefined),
      ...Array<string>(3 * 6).fill('earlier-load'),
    ]);
    expect(jobs.every(({ ablation }) => ablation === undefined)).toBe(true);
    expect(new Set(whole.map(({ scenario }) => scenario.players.length))).toEqual(new Set([1]));
  });

  it('compares the queue delay of PIE with each target', () => {
    const report = aqmKernelExperiment.report(made(9), options);
    const held = report.claims.filter(({ paper }) => paper.includes('R1 to R3: PIE'));
    expect(held.map(({ agrees }) => agrees)).toEqual([false, true, false]);
    expect(experimentText(report, RUN)).toContain(
      '| 12 | Queue delay, R1 to R3 (ms) | 9.0 (8.8 to 9.2) |',
    );
  });

  it('keeps the changed trials out of the figures, and names the change that turns a statement', () => {
    const whole = aqmKernelExperiment.plan({ ...options, quick: false });
    const trialsOf = (delayMs: number, some: readonly AqmJob[]) =>
      made(delayMs).flatMap(({ outcome }, index) => {
        const job = some[index];
        return job === undefined ? [] : [{ job, outcome }];
      });
    const plain = trialsOf(9, whole.slice(0, 18));
    const report = aqmKernelExperiment.report([...plain, ...trialsOf(5, whole.slice(18))], options);
    const alone = aqmKernelExperiment.report(plain, options);
    expect(report.tables).toEqual(alone.tables);
    const keeps = report.claims.filter(({ paper }) =>
      paper.includes('R1 to R3: PIE keeps its target of 5'),
    );
    expect(keeps.map(({ agrees }) => agrees)).toEqual([false]);
    expect(keeps[0]?.why).toContain('it agrees: 5.0 ms in the mean');
  });

  it('describes and draws the oscillation of FQ-PIE, as measured in the lab', () => {
    const report = aqmKernelExperiment.report(made(12), options);
    const swings = report.claims.filter(
      ({ place, paper }) => place === 'Fig. 12' && paper.includes('oscillates'),
    );
    expect(swings).toMatchObject([
      {
        ours: '12.0 ms in the mean (11.8 to 12.2); nine of ten seconds from 12.0 to 12.0 ms',
        agrees: true,
      },
    ]);
    const page = renderExperiment(report, RUN, { clientCss: 'main {}', nonce: 'abcdefgh' });
    expect(page).toContain('Fig. 12: Queue delay, R1 to R3, over time');
    expect(page).toContain('Measured in the lab');
    expect(page).not.toMatch(/NaN|undefined|Infinity/);
    expect(page.match(/<figure>/g)?.length).toBe(12);
  });
});
