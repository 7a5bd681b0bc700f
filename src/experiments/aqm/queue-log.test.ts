import { describe, expect, it } from 'vitest';
import { delaySeries, queueSeconds } from './delay-series';
import { expandTopology } from '../../scenario';
import { Ecn, every, Packet, SimNetwork, Simulation } from '../../sim';
import { QueueLog } from './queue-log';

const forward = { rateBps: 8e6, delayMs: 10, queue: { discipline: 'droptail' as const } };
const topology = expandTopology({
  kind: 'dumbbell',
  mediaFrom: 'h2',
  bottleneck1: { forward },
  bottleneck2: { forward },
});

/**
 * Bursts of packets of 1000 bytes from H1 to S1, one burst every tenth of a second; each packet takes a
 * millisecond.
 */
function bursts(packets: number): QueueLog {
  const simulation = new Simulation(1);
  const network = new SimNetwork(simulation, topology);
  const log = new QueueLog(simulation, network, ['r1-r3', 'r2-r4']);
  const route = network.route('h1', 's1');
  every(simulation, 100e6, () => {
    for (let i = 0; i < packets; i += 1) {
      new Packet(1000, 1, Ecn.notCapable, route, undefined).forward();
    }
  });
  simulation.run(3500e6);
  return log;
}

describe('QueueLog', () => {
  it('records the mean waiting time of packets per second', () => {
    const { samples } = bursts(5);
    expect(samples.map(({ monotonicMs }) => monotonicMs)).toEqual([0, 999, 1999, 2999]);
    const last = samples.at(-1)?.links.find(({ name }) => name === 'r1-r3');
    // The five packets of a burst wait 0, 1, 2, 3 and 4 ms.
    expect(last?.ab.queueDelayMeanUs).toBeCloseTo(2000, 6);
    expect(last?.ab.inPackets).toBe(29 * 5);
    expect(last?.ba).toMatchObject({ queueDelayMeanUs: 0, inPackets: 0 });
  });

  it('feeds the report’s figures over time', () => {
    const [first, second] = delaySeries('pie', 5, [
      queueSeconds({ samples: bursts(5).samples, fromMs: 0, toMs: 3000 }),
      queueSeconds({ samples: bursts(9).samples, fromMs: 0, toMs: 3000 }),
    ]);
    // 2 and 4 ms.
    expect(first?.points.map(({ meanMs }) => meanMs)).toEqual([3, 3, 3]);
    expect(second?.points.map(({ meanMs }) => meanMs)).toEqual([null, null, null]);
  });
});
