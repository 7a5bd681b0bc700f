import type { DirectionSpec } from '../../scenario';
import { congestionControls, type CreateCongestion } from '../congestion/controls';
import { Simulation } from '../engine/simulation';
import { Timer } from '../engine/timer';
import { LinkDirection } from '../link/link-direction';
import { MptcpConnection, type MptcpOptions } from '../mptcp/connection';
import { MinRtt } from '../schedulers/min-rtt';
import { createTcpStream } from '../tcp/stream';

const SECOND_NS = 1e9;
const queue = { discipline: 'droptail' as const };

export interface OneLink {
  simulation: Simulation;
  connection: MptcpConnection;
  /** Towards the client. */
  down: LinkDirection;
  path: { there: LinkDirection[]; back: LinkDirection[] };
}

/** A download without end over one link, by one or more subflows, before its first event. */
export function downloadOverOneLink(
  spec: DirectionSpec,
  govern: Pick<MptcpOptions, 'createCongestion'> & Partial<MptcpOptions>,
  { subflows = 1, seed = 2 } = {},
): OneLink {
  const simulation = new Simulation(seed);
  const down = new LinkDirection(simulation, 'down', spec);
  const up = new LinkDirection(simulation, 'up', { rateBps: 100e6, delayMs: spec.delayMs, queue });
  const path = { there: [up], back: [down] };
  const connection = new MptcpConnection(simulation, {
    paths: Array.from({ length: subflows }, () => path),
    flow: 1,
    createScheduler: () => new MinRtt(),
    ...govern,
  });
  connection.connect();
  connection.server.send(1e12);
  return { simulation, connection, down, path };
}

/** Goodput over 30 s, after 15 s. */
export function settledGoodputBps({ simulation, connection }: OneLink): number {
  simulation.run(15 * SECOND_NS);
  const before = connection.client.receivedBytes;
  simulation.run(45 * SECOND_NS);
  return ((connection.client.receivedBytes - before) * 8) / 30;
}

/** Share of a link that one connection with the given subflows gets beside one Reno flow. */
export function shareBesideReno(
  createCongestion: CreateCongestion,
  subflows: number,
  govern: Partial<MptcpOptions> = {},
): number {
  const spec = { rateBps: 8e6, delayMs: 20, queueBytes: 80_000, queue };
  const { simulation, connection, path } = downloadOverOneLink(
    spec,
    { createCongestion, ...govern },
    { subflows, seed: 5 },
  );
  const reno = createTcpStream(simulation, {
    ...path,
    flow: 9,
    createCongestion: () => congestionControls.reno(),
  });
  new Timer(simulation, reno.connect).setAt(1.3 * SECOND_NS);
  reno.server.send(1e12);
  simulation.run(20 * SECOND_NS);
  const before = [connection.client.receivedBytes, reno.client.receivedBytes] as const;
  simulation.run(90 * SECOND_NS);
  const mine = connection.client.receivedBytes - before[0];
  return mine / (mine + reno.client.receivedBytes - before[1]);
}

/** Mean waiting time in a far too deep queue, after 15 s. */
export function deepQueueWaitMs(createCongestion: CreateCongestion): number {
  const spec = { rateBps: 10e6, delayMs: 25, queueBytes: 1_000_000, queue };
  const { simulation, down } = downloadOverOneLink(spec, { createCongestion });
  const waitsMs: number[] = [];
  down.onWait = (waitNs, nowNs) => {
    if (nowNs > 15 * SECOND_NS) waitsMs.push(waitNs / 1e6);
  };
  simulation.run(45 * SECOND_NS);
  return waitsMs.reduce((sum, wait) => sum + wait, 0) / waitsMs.length;
}
