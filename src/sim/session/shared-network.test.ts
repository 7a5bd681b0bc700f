import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../session-log';
import { expandTopology } from '../../scenario';
import { RateBased } from '../controllers/rate-based';
import { Cubic } from '../congestion/cubic';
import { Simulation } from '../engine/simulation';
import { Timer } from '../engine/timer';
import { SimNetwork } from '../network/sim-network';
import { MinRtt } from '../schedulers/min-rtt';
import { SimSession } from './session';
import type { SimSessionOptions } from './session-options';

const SEGMENTS = 10;
const ladder = [1e6, 2e6, 4e6];

function options(rateBps: number): SimSessionOptions {
  const direction = { rateBps, delayMs: 10, queue: { discipline: 'droptail' as const } };
  const topology = expandTopology({
    kind: 'multihomed',
    paths: [{ id: 'wifi', down: direction, up: direction }],
  });
  const scenario = { name: 'shared', topology, traffic: [], events: [], durationMs: 60_000 };
  return {
    scenario,
    media: {
      segmentMs: 2000,
      video: ladder.map((bitrateBps) => ({
        bitrateBps,
        bytes: Array.from({ length: SEGMENTS }, () => bitrateBps / 4),
      })),
      audio: [],
    },
    player: { kind: 'controller', create: () => new RateBased() },
    seed: 1,
    createScheduler: () => new MinRtt(),
    createCongestion: () => new Cubic(),
    lean: true,
  };
}

/** Consecutive sessions on one link. */
function play(rateBps: number, beginMs: readonly number[]): LogEvent[][] {
  const simulation = new Simulation(1);
  const one = options(rateBps);
  const network = new SimNetwork(simulation, one.scenario.topology);
  const logs: LogEvent[][] = [];
  beginMs.forEach((atMs, index) => {
    const onEnd = (): void => {
      logs[index] = session.finish();
    };
    const session = new SimSession(one, { simulation, network, flow: index * 100_000, onEnd });
    new Timer(simulation, () => session.begin()).setAt(atMs * 1e6);
  });
  simulation.run(200e9);
  return logs;
}

const bytesOf = (log: LogEvent[] | undefined): number =>
  (log ?? []).reduce((sum, event) => sum + (event.type === 'request' ? event.bytes : 0), 0);

describe('sessions on one network', () => {
  it('each begins at its time, plays to the end and leaves', () => {
    const logs = play(100e6, [0, 7000]);
    expect(logs.map((log) => log[0]?.monotonicMs)).toEqual([0, 7000]);
    for (const log of logs) {
      expect(log.at(-1)).toMatchObject({ type: 'end', reason: 'ended' });
      const startup = log.find(({ type }) => type === 'startup');
      expect(startup).toMatchObject({ startupDelayMs: expect.any(Number) as number });
      if (startup?.type === 'startup') expect(startup.startupDelayMs).toBeLessThan(1000);
    }
  });

  it('share the capacity: two on a narrow link get less each than a single one', () => {
    const [alone] = play(4e6, [0]);
    const both = play(4e6, [0, 10]);
    expect(both).toHaveLength(2);
    for (const log of both) expect(bytesOf(log)).toBeLessThan(bytesOf(alone));
  });

  it('lean logs omit samples and states, and have the same requests', () => {
    const [lean] = play(4e6, [0]);
    expect(lean?.some(({ type }) => type === 'samples')).toBe(false);
    expect(lean?.filter(({ type }) => type === 'player')).toHaveLength(1);
    expect(
      lean?.filter((event) => event.type === 'request' && event.kind === 'media'),
    ).toHaveLength(SEGMENTS);
  });
});
