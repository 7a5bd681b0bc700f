import { describe, expect, it } from 'vitest';
import { geneticKernelExperiment, type GeneticKernelJob } from './kernel';

const options = { quick: false, seed: 1, trials: 3, read: () => '' };
const RATE_BPS = { kernel: 1e6, simulated: 2e6, 'simulated-linux': 3e6 };

/** Every client streams at one rate, which depends on where; the genetic selection has 10 % more on the kernel. */
function result(job: GeneticKernelJob): Parameters<typeof geneticKernelExperiment.report>[0][0] {
  const isBetter = job.backend === 'kernel' && job.approach === 'genetic';
  const bitrateBps = RATE_BPS[job.backend] * (isBetter ? 1.1 : 1) + 1e4 * job.seed;
  const client = { bitrateBps, switches: 0, outageMs: 0, subflows: 3 };
  return { job, outcome: { kind: 'stream', clients: [client, client] } };
}

describe('genetic selection on the kernel', () => {
  it('plays every kernel run twice simulated: as the paper’s client, and as Linux', () => {
    const jobs = geneticKernelExperiment.plan(options);
    const twins = jobs.filter(({ approach, seed }) => approach === 'genetic' && seed === 2);
    expect(twins.map(({ backend }) => backend)).toEqual(Object.keys(RATE_BPS));
    expect(twins.map(({ scheduler }) => scheduler)).toEqual(['min-rtt', 'min-rtt', 'mainline']);
    expect(new Set(jobs.map(({ key }) => key)).size).toBe(jobs.length);
  });

  it('judges the paper by the runs on the kernel alone', () => {
    const results = geneticKernelExperiment.plan(options).map(result);
    const { tables, claims } = geneticKernelExperiment.report(results, options);
    expect(tables[0]?.rows.filter(([approach]) => approach === 'Genetic')).toHaveLength(3);
    const higher = claims.filter(({ paper }) => paper.includes('higher bitrate'));
    expect(higher.length).toBeGreaterThan(0);
    expect(higher.every(({ agrees }) => agrees === true)).toBe(true);
    const simulated = results.filter(({ job }) => job.backend !== 'kernel');
    const without = geneticKernelExperiment.report(simulated, options).claims;
    expect(without.every(({ agrees }) => agrees === null)).toBe(true);
  });
});
