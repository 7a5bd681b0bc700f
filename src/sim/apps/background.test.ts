import { describe, expect, it } from 'vitest';
import { expandTopology, type TrafficResult, type TrafficSpec } from '../../scenario';
import { Simulation } from '../engine/simulation';
import { SimNetwork } from '../network/sim-network';
import { startBackground } from './background';

const forward = { rateBps: 8e6, delayMs: 10, queue: { discipline: 'pie' as const } };
const topology = expandTopology({
  kind: 'dumbbell',
  mediaFrom: 'h2',
  bottleneck1: { forward },
  bottleneck2: { forward },
});
const way = { from: 'h1', to: 's1', startMs: 0 };
const ftp: TrafficSpec = { ...way, id: 'ftp-1', kind: 'ftp', intensity: 5 };
const voip: TrafficSpec = {
  ...way,
  id: 'voip-1',
  kind: 'voip',
  intensity: 10,
  calls: { perSecond: 5, holdMs: 10_000, ports: 'each' },
};
const web: TrafficSpec = { ...way, id: 'web-1', kind: 'web', intensity: 15, objectBytes: 10_000 };

function run(
  traffic: readonly TrafficSpec[],
  seed = 1,
  control = 'cubic',
): { network: SimNetwork; results: TrafficResult[] } {
  const simulation = new Simulation(seed);
  const network = new SimNetwork(simulation, topology);
  const background = startBackground(simulation, network, traffic, () => control);
  simulation.run(10e9);
  return { network, results: background.results() };
}

describe('startBackground', () => {
  it('sends from left to right over its hosts’ bottleneck only', () => {
    const { network, results } = run([ftp, voip, web]);
    const [bulk, calls, pages] = results;
    expect(bulk?.goodputBps).toBeGreaterThan(4e6);
    expect(calls?.rtp?.lossRatio).toBeGreaterThan(0);
    expect(pages?.requests?.completed).toBeGreaterThan(130);
    expect(pages?.requests?.meanMs).toBeGreaterThan(24);
    expect(network.link('r1-r3').ab.stats().outBytes).toBeGreaterThan(0.9 * 1e7);
    expect(network.link('r2-r4').ab.stats().inPackets).toBe(0);
    expect(results.map(({ id, outcome, program }) => [id, outcome, program])).toEqual(
      ['ftp-1', 'voip-1', 'web-1'].map((id) => [id, 'ok', 'simulated']),
    );
  });

  it('starts and stops at its times', () => {
    const { network } = run([{ ...ftp, startMs: 4000, durationMs: 1000 }]);
    const { outBytes } = network.link('r1-r3').ab.stats();
    expect(outBytes).toBeGreaterThan(0.8 * 1e6);
    expect(outBytes).toBeLessThan(1.05 * 1e6);
  });

  it('keeps the random sequences of programs independent', () => {
    const alone = run([voip]).results[0];
    const beside = run([voip, { ...web, from: 'h3', to: 's3' }]).results[0];
    expect(beside).toEqual(alone);
  });

  it('refuses a congestion control that the simulator lacks, and names the program', () => {
    expect(() => run([ftp], 1, 'illinois')).toThrow(/h1 .*illinois/);
  });
});
