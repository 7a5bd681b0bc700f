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

/** Two segments are sent, by turns: the first over 10 ms each way, the second over 50. */
function twoSegments(bytes: number): DelayMeter {
  const simulation = new Simulation(1);
  const delays = [10, 50];
  const path = (
    delayMs: number,
    index: number,
  ): { there: LinkDirection[]; back: LinkDirection[] } => {
    const make = (name: string): LinkDirection =>
      new LinkDirection(simulation, `${name} ${String(index)}`, { delayMs, queue });
    return { there: [make('up')], back: [make('down')] };
  };
  const connection = new MptcpConnection(simulation, {
    paths: delays.map(path),
    flow: 1,
    createScheduler: schedulers['round-robin'],
    createCongestion: () => congestionControls.reno(),
  });
  const meter = new DelayMeter(connection.server, 2, () => simulation.nowNs);
  connection.connect();
  simulation.run(1e9);
  connection.server.send(bytes);
  simulation.run(2e9);
  meter.sample();
  return meter;
}

describe('DelayMeter', () => {
  it('takes the protocol delay as the longest way there and back, and nothing above it as blocking', () => {
    const meter = twoSegments(2 * 1420);
    // Both round trips are without queues; the second segment came last, in order, and was answered on its own path.
    expect(meter.protocolMs).toHaveLength(1);
    expect(meter.protocolMs[0]).toBeCloseTo(100, 3);
    expect(meter.holMs[0]).toBeCloseTo(0, 3);
    expect(meter.srttMs.map(([srttMs]) => srttMs)).toEqual([20, 100]);
  });

  it('counts what waits for earlier data of another path as blocking', () => {
    const meter = twoSegments(3 * 1420);
    // The third segment comes after 10 ms and waits until 50; its acknowledgement takes 10 ms or the next chance.
    expect(meter.protocolMs[0]).toBeGreaterThanOrEqual(60);
    expect(meter.srttMs[0]?.[0]).toBeLessThan(meter.protocolMs[0] ?? 0);
  });
});
