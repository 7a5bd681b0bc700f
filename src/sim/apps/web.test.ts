import { describe, expect, it } from 'vitest';
import type { DirectionSpec } from '../../scenario';
import { congestionControls } from '../congestion/controls';
import { Simulation } from '../engine/simulation';
import { LinkDirection } from '../link/link-direction';
import { tcpStreams } from './app-stream';
import { WebClients, type WebOptions, type WebResult } from './web';

const queue = { discipline: 'droptail' as const };

function browse(
  spec: Partial<DirectionSpec>,
  options: Partial<WebOptions>,
  untilMs: number,
  seed = 1,
): WebResult {
  const simulation = new Simulation(seed);
  const make = (name: string, more: Partial<DirectionSpec>): LinkDirection =>
    new LinkDirection(simulation, name, { rateBps: 10e6, delayMs: 20, queue, ...more });
  const clients = new WebClients(simulation, {
    open: tcpStreams(simulation, {
      there: [make('up', {})],
      back: [make('down', spec)],
      createCongestion: () => congestionControls.cubic(),
    }),
    flow: 1,
    perSecond: 1,
    objectBytes: 10_000,
    random: simulation.random('web'),
    ...options,
  });
  simulation.run(untilMs * 1e6);
  return clients.result();
}

describe('WebClients', () => {
  it('takes the time that the formula gives', () => {
    const result = browse({}, { stopNs: 5e9 }, 10_000);
    expect(result).toMatchObject({ started: 5, completed: 5, failed: 0 });
    const bitMs = 8 / 10e3;
    // 10250 bytes are seven full packets and one of 114; the GET carries the last step of the handshake.
    const replyMs = 40 + (52 + 100 + 10_250 + 8 * 52) * bitMs;
    expect(result.replyMeanMs).toBeCloseTo(replyMs, 3);
    expect(result.totalMeanMs).toBeCloseTo(replyMs + 40 + 120 * bitMs, 3);
    expect(result.totalMaxMs).toBeCloseTo(result.totalMeanMs ?? 0, 6);
  });

  it('sends requests at its rate, independent of earlier answers', () => {
    // 15 answers of 10 kB a second are more than 1.2 Mbit/s: a link of 1 Mbit/s falls behind.
    const result = browse({ rateBps: 1e6, queueBytes: 30_000 }, { perSecond: 15 }, 20_000);
    expect(result.started).toBeGreaterThanOrEqual(299);
    expect(result.started).toBeLessThanOrEqual(300);
    expect(result.completed).toBeLessThan(230);
    expect(result.totalMeanMs).toBeGreaterThan(300);
  });

  it('gives up a connection without progress', () => {
    const outages = { outages: [{ atMs: 0, durationMs: 60_000 }] };
    const result = browse({ outages }, { stopNs: 3e9 }, 20_000);
    expect(result).toEqual({
      ...{ started: 3, completed: 0, failed: 3 },
      ...{ replyMeanMs: null, totalMeanMs: null, totalMaxMs: null },
    });
  });

  it('is equal for equal seeds and differs for others', () => {
    const run = (seed: number): string =>
      JSON.stringify(browse({ rateBps: 2e6 }, { perSecond: 20 }, 10_000, seed));
    expect(run(1)).toBe(run(1));
    expect(run(2)).not.toBe(run(1));
  });
});
