import { describe, expect, it } from 'vitest';
import type { DirectionSpec } from '../../scenario';
import { Simulation } from '../engine/simulation';
import { LinkDirection } from '../link/link-direction';
import type { Packet } from '../packet';
import { VoipCalls, type VoipOptions, type VoipResult } from './voip';

const queue = { discipline: 'droptail' as const };

function call(
  spec: Partial<DirectionSpec>,
  options: Partial<VoipOptions>,
  untilMs: number,
  seed = 1,
): VoipResult {
  const simulation = new Simulation(seed);
  const make = (name: string, more: Partial<DirectionSpec>): LinkDirection =>
    new LinkDirection(simulation, name, { delayMs: 30, queue, ...more });
  const calls = new VoipCalls(simulation, {
    there: [make('there', spec)],
    back: [make('back', {})],
    flow: 1,
    callsPerSecond: 1,
    holdMs: 1000,
    random: simulation.random('calls'),
    ...options,
  });
  simulation.run(untilMs * 1e6);
  return calls.result();
}

describe('VoipCalls', () => {
  it('starts calls at their rate, each with fifty packets a second both ways', () => {
    const result = call({}, { stopNs: 2.5e9 }, 10_000);
    expect(result).toMatchObject({ started: 3, completed: 3 });
    // The third is cut after about half a second.
    expect(result.there.expected).toBeGreaterThanOrEqual(2 * 50 + 24);
    expect(result.there.expected).toBeLessThanOrEqual(2 * 50 + 25);
    expect(result.there).toMatchObject({ lossRatio: 0, delayMeanMs: 30, jitterMs: 0 });
    expect(result.back).toEqual(result.there);
  });

  it('counts the bytes of a packet: 200 with all headers, 20 ms at 80 kbit/s', () => {
    const { there } = call({ rateBps: 80e3 }, { stopNs: 0.5e9 }, 10_000);
    expect(there).toMatchObject({ lossRatio: 0, delayMeanMs: 50, delayMaxMs: 50, jitterMs: 0 });
  });

  it('measures the loss and the delay of a link that is too slow', () => {
    // Four calls of 80 kbit/s on 160 kbit/s: half of the packets meet a full queue of ten.
    const queued = { rateBps: 160e3, queueBytes: 2000 };
    const options = { callsPerSecond: 1000, maxCalls: 4, holdMs: 60_000 };
    const { there, back } = call(queued, options, 60_000);
    expect(there.lossRatio).toBeGreaterThan(0.48);
    expect(there.lossRatio).toBeLessThan(0.5);
    // A packet takes 10 ms: ten wait and one is being sent.
    expect(there.delayMaxMs).toBeLessThanOrEqual(30 + 110);
    expect(there.delayMeanMs).toBeGreaterThan(30 + 90);
    expect(back.lossRatio).toBe(0);
  });

  it('measures jitter as the mean step of the transit time', () => {
    const jitter = { shape: 'uniform' as const, spreadMs: 6 };
    const { there } = call({ jitter }, { holdMs: 100_000, maxCalls: 1 }, 99_000);
    // Two draws of a uniform distribution 12 ms wide differ by a third of it on average.
    expect(there.jitterMs).toBeGreaterThan(3.8);
    expect(there.jitterMs).toBeLessThan(4.2);
  });

  it('respects its limit of calls, and is equal for equal seeds', () => {
    const options = { callsPerSecond: 5, maxCalls: 10, holdMs: 10_000 };
    const run = (seed: number): string =>
      JSON.stringify(call({ rateBps: 700e3, queueBytes: 4000 }, options, 30_000, seed));
    expect(JSON.parse(run(1))).toMatchObject({ started: 30, completed: 20 });
    expect(run(1)).toBe(run(1));
    expect(run(2)).not.toBe(run(1));
  });

  it('gives each call a flow of its own, or all of them one', () => {
    const flows = (isOneFlow: boolean): number => {
      const seen = new Set<number>();
      const tap = {
        receive: (packet: Packet) => {
          seen.add(packet.flow);
          packet.forward();
        },
      };
      call({}, { there: [tap], back: [tap], callsPerSecond: 10, isOneFlow }, 1000);
      return seen.size;
    };
    // One each way.
    expect(flows(true)).toBe(2);
    expect(flows(false)).toBeGreaterThanOrEqual(2 * 9);
  });
});
