import { describe, expect, it } from 'vitest';
import { congestionControls } from '../congestion/controls';
import { Simulation } from '../engine/simulation';
import { LinkDirection } from '../link/link-direction';
import { MptcpConnection } from '../mptcp/connection';
import { MinRtt } from '../schedulers/min-rtt';
import { tcpStreams } from './app-stream';
import { Bulk } from './bulk';

const SECOND = 1e9;
const queue = { discipline: 'droptail' as const };

/** A symmetric link of 10 Mbit/s with a one-way delay of 20 ms. */
function link(simulation: Simulation): { there: LinkDirection[]; back: LinkDirection[] } {
  const make = (name: string): LinkDirection =>
    new LinkDirection(simulation, name, { rateBps: 10e6, delayMs: 20, queue });
  return { there: [make('up')], back: [make('down')] };
}

describe('Bulk', () => {
  it('takes the time that the formula gives for its bytes', () => {
    const simulation = new Simulation(1);
    const open = tcpStreams(simulation, {
      ...link(simulation),
      createCongestion: () => congestionControls.reno(),
    });
    const bulk = new Bulk(simulation, { open, flow: 1, bytes: 10 * 1448, startNs: SECOND });
    simulation.run(2 * SECOND);
    // Four one-way delays of 20 ms, because the server sends after the handshake's third step; SYN, SYN-ACK
    // and ACK of 60, 60 and 52 bytes; ten packets of 1500 bytes in one flight.
    const expectedMs = 4 * 20 + ((60 + 60 + 52 + 10 * 1500) * 8) / 10e3;
    expect((bulk.completedNs ?? 0) / 1e6).toBeCloseTo(1000 + expectedMs, 3);
    expect(bulk.receivedBytes).toBe(10 * 1448);
  });

  it('fills the link’s payload rate without end', () => {
    const simulation = new Simulation(1);
    const open = tcpStreams(simulation, {
      ...link(simulation),
      createCongestion: () => congestionControls.cubic(),
    });
    const bulk = new Bulk(simulation, { open, flow: 1, sender: 'client' });
    simulation.run(20 * SECOND);
    expect(bulk.completedNs).toBeUndefined();
    expect(bulk.goodputBps).toBeGreaterThan(0.93 * 10e6);
    expect(bulk.goodputBps).toBeLessThan((10e6 * 1448) / 1500);
  });

  it('keeps to a rate limit, and sends nothing after it is stopped', () => {
    const simulation = new Simulation(1);
    const open = tcpStreams(simulation, {
      ...link(simulation),
      createCongestion: () => congestionControls.cubic(),
    });
    const bulk = new Bulk(simulation, { open, flow: 1, rateBps: 2e6, stopNs: 5 * SECOND });
    simulation.run(5 * SECOND);
    const atStop = bulk.receivedBytes;
    expect(bulk.goodputBps).toBeGreaterThan(1.98e6);
    expect(bulk.goodputBps).toBeLessThan(2.02e6);
    simulation.run(9 * SECOND);
    expect(bulk.receivedBytes).toBe(atStop);
  });

  it('uses both paths over MPTCP', () => {
    const simulation = new Simulation(1);
    const paths = [link(simulation), link(simulation)];
    const bulk = new Bulk(simulation, {
      open: (flow, onEstablished) =>
        new MptcpConnection(simulation, {
          paths,
          flow,
          onEstablished,
          createScheduler: () => new MinRtt(),
          createCongestion: () => congestionControls.cubic(),
        }),
      flow: 1,
    });
    simulation.run(20 * SECOND);
    expect(bulk.goodputBps).toBeGreaterThan(1.8 * 10e6);
  });
});
