import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExperimentOptions } from '../types';
import { decisionsExperiment } from './experiment';
import type { DecisionsJob } from './job';

const scenarios = path.resolve(import.meta.dirname, '../../../scenarios');
const read = (file: string): string => readFileSync(path.join(scenarios, file), 'utf8');
const options: ExperimentOptions = { quick: true, seed: 7, trials: 5, read };
const plan = decisionsExperiment.plan(options);

/** A report of invented values. @param trials how many of them */
const reportOf = (qoe: (job: DecisionsJob) => number, trials = Infinity) =>
  decisionsExperiment.report(
    plan
      .filter(({ trial }) => trial <= trials)
      .map((job) => ({ job, outcome: { linearQoePerSegment: qoe(job) } })),
    options,
  );
const verdicts = (qoe: (job: DecisionsJob) => number): (boolean | null)[] =>
  reportOf(qoe).claims.map(({ agrees }) => agrees);

describe('plan', () => {
  it('has a trial of everything, then the further ones of ours and RobustMPC, and names each session once', () => {
    expect(new Set(plan.map(({ key }) => key)).size).toBe(plan.length);
    const stages = plan.map(({ trial, player }) => {
      const others = /^(multipath|robust-mpc)@/.test(player) ? 0 : 10;
      return trial === 1 ? 1 : trial + others;
    });
    expect(stages).toEqual([...stages].sort((a, b) => a - b));
    expect(new Set(plan.map(({ seed }) => seed))).toEqual(new Set([7, 8, 9, 10, 11]));
  });

  it('plays ours and the references in the kernel, and simulates the rules that the simulator has', () => {
    const players = (backend: DecisionsJob['backend']): string[] =>
      plan
        .filter((job) => job.backend === backend && job.trial === 1)
        .filter(({ scenario }) => scenario.name === 'two-unequal')
        .map(({ player }) => player)
        .sort();
    expect(players('kernel')).toEqual([
      ...['bola@lte', 'bola@mptcp', 'bola@wifi', 'dynamic@lte', 'dynamic@mptcp', 'dynamic@wifi'],
      ...['multipath@model', 'multipath@ranges'],
      ...['robust-mpc@lte', 'robust-mpc@mptcp', 'robust-mpc@wifi', 'soda@mptcp'],
    ]);
    expect(players('simulated')).toEqual(
      players('kernel').filter((player) => !player.startsWith('dynamic')),
    );
  });
});

describe('simulated trials', () => {
  const jobs = plan.filter(({ player }) => player === 'robust-mpc@mptcp');

  it('begin at other times than each other, for chance alone makes none differ without losses', () => {
    const loads = jobs.filter(({ backend }) => backend === 'simulated');
    const times = loads
      .filter(({ scenario }) => scenario.name === 'two-unequal')
      .map(({ pageLoadMs }) => pageLoadMs);
    expect(new Set(times).size).toBe(5);
    const real = jobs.filter(({ backend }) => backend === 'kernel');
    expect(new Set(real.map(({ pageLoadMs }) => pageLoadMs))).toEqual(new Set([undefined]));
  });
});

describe('one session', () => {
  const [kernel] = plan.filter(({ backend }) => backend === 'kernel');
  const [simulated] = plan.filter(({ backend }) => backend === 'simulated');

  it('is simulated, or played by the lab', () => {
    if (kernel === undefined || simulated === undefined) throw new Error('no job');
    expect(() => decisionsExperiment.run(kernel)).toThrow('the lab plays');
    const short = { ...simulated, scenario: { ...simulated.scenario, durationMs: 10_000 } };
    expect(decisionsExperiment.run(short)['linearQoePerSegment']).toBeGreaterThan(-5);
  });
});

describe('report', () => {
  const noise = ({ trial }: DecisionsJob): number => trial / 100;
  const oursFirst = (job: DecisionsJob): number =>
    (job.player === 'multipath@ranges' ? 3 : 2) + noise(job);

  it('agrees if ours is best and the simulator has the same winner', () => {
    expect(verdicts(oursFirst)).toEqual([true, true]);
  });

  it('does not agree with fewer than five trials, whose interval hides a lead', () => {
    for (const trials of [1, 2, 4]) {
      const [best] = reportOf(oursFirst, trials).claims;
      expect(best?.agrees).toBeNull();
      expect(best?.why).toContain('5 trials');
    }
  });

  it('differs with two trials already where a reference is ahead beyond its interval', () => {
    const behind = (job: DecisionsJob): number =>
      job.player === 'bola@wifi' ? 4 + noise(job) : oursFirst(job) + noise(job);
    expect(reportOf(behind, 2).claims[0]?.agrees).toBe(false);
  });

  it('names a reference that is ahead beyond its interval', () => {
    const behind = (job: DecisionsJob): number =>
      job.player === 'bola@wifi' && job.scenario.name === 'two-unequal'
        ? 4 + noise(job)
        : oursFirst(job);
    const { claims } = reportOf(behind);
    expect(claims[0]?.agrees).toBe(false);
    expect(claims[0]?.ours).toContain('bola@wifi in two-unequal');
    // The simulator does not play that player.
    expect(claims[1]?.agrees).toBe(true);
  });

  it('judges a costly network apart: what it carries, and whether the picture stopped', () => {
    const jobs = decisionsExperiment
      .plan({ ...options, quick: false })
      .filter(({ scenario, backend }) => scenario.name === 'metered' && backend === 'kernel');
    const claimsOf = (oursBytes: number, stallMs: number) =>
      decisionsExperiment.report(
        jobs.map((job) => {
          const isOurs = job.player === 'multipath@ranges';
          const bytes = (isOurs ? oursBytes : 20e6) + job.trial;
          const outcome = { linearQoePerSegment: isOurs ? 2 : 4, 'pathBytes.lte': bytes, stallMs };
          return { job, outcome };
        }),
        options,
      ).claims;
    const [best, , reserve] = claimsOf(400e3, 0);
    // All references spend the costly network.
    expect(best?.ours).toContain('in 0 scenarios');
    expect(reserve?.agrees).toBe(true);
    expect(reserve?.ours).toMatch(/^2\.0 \(2\.0 to 2\.0\), 5 trials/);
    expect(claimsOf(2e6, 0)[2]?.agrees).toBe(false);
    expect(claimsOf(400e3, 50)[2]?.agrees).toBe(false);
  });

  it('is undecided with one trial, and reports another winner in the simulator', () => {
    const other = (job: DecisionsJob): number =>
      job.backend === 'simulated' && job.player === 'robust-mpc@mptcp' ? 9 : oursFirst(job);
    const [best, winner] = reportOf(other, 1).claims;
    expect(best?.agrees).toBeNull();
    expect(winner?.agrees).toBe(false);
    expect(winner?.ours).toContain('simulated robust-mpc@mptcp');
  });
});
