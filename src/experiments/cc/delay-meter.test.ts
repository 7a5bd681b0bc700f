import { describe, expect, it } from 'vitest';
import {
  congestionControls,
  LinkDirection,
  MptcpConnection,
  schedulers,
  Simulation,
} from '../../sim';
import { DelayMeter } from './delay-meter';

const queue = { discipline: 'droptail' as const };

/**
 * Two segments are sent on alternate paths: the first over 10 ms each way, the second over 50.
 * @param isFirstLost the first is retransmitted, so the second waits for it
 */
function twoSegments(isFirstLost: boolean): DelayMeter {
  const simulation = new Simulation(1);
  const delays = [10, 50];
  const path = (
    delayMs: number,
    index: number,
  ): { there: LinkDirection[]; back: LinkDirection[] } => {
    const make = (name: string): LinkDirection =>
      new LinkDirection(simulation, `${name} ${index}`, { delayMs, queue });
    return { there: [make('up')], back: [make('down')] };
  };
  const paths = delays.map(path);
  const connection = new MptcpConnection(simulation, {
    paths,
    flow: 1,
    createScheduler: schedulers['round-robin'],
    createCongestion: () => congestionControls.reno(),
  });
  const meter = new DelayMeter(connection.server, 2, () => simulation.nowNs);
  connection.connect();
  // The second path joins once the server has answered.
  connection.client.send(1);
  simulation.run(1e9);
  const [first] = paths[0]?.back ?? [];
  if (isFirstLost) first?.set({ lossRatio: 1 });
  connection.server.send(2 * 1420);
  // The tail loss probe, which would arrive before the second segment, is lost too.
  simulation.run(1.1e9);
  first?.set({ lossRatio: 0 });
  simulation.run(2e9);
  meter.sample();
  return meter;
}

describe('DelayMeter', () => {
  it('takes the protocol delay as the longest round trip, and counts no blocking above it', () => {
    const meter = twoSegments(false);
    // Both round trips are without queues; the second segment arrived last, in order, and was acknowledged on
    // its own path.
    expect(meter.protocolMs).toHaveLength(1);
    expect(meter.protocolMs[0]).toBeCloseTo(100, 3);
    expect(meter.holMs[0]).toBeCloseTo(0, 3);
    expect(meter.srttMs.map(([srttMs]) => srttMs)).toEqual([20, 100]);
  });

  it('counts waiting for earlier data of another path as blocking', () => {
    const meter = twoSegments(true);
    expect(meter.srttMs.map(([srttMs]) => srttMs)).toEqual([20, 100]);
    expect(meter.protocolMs[0]).toBeGreaterThan(150);
    expect(meter.holMs[0]).toBeGreaterThan(50);
    expect(meter.holMs[0]).toBeCloseTo((meter.protocolMs[0] ?? 0) - 100, 3);
  });
});
