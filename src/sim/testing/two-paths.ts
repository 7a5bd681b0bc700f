import type { DirectionSpec } from '../../scenario';
import { Cubic } from '../congestion/cubic';
import { Simulation } from '../engine/simulation';
import { LinkDirection } from '../link/link-direction';
import { MptcpConnection, type MptcpOptions } from '../mptcp/connection';
import { Mainline } from '../schedulers/mainline';

const queue = { discipline: 'droptail' as const };

export interface TwoPaths {
  simulation: Simulation;
  connection: MptcpConnection;
  /** Towards the client. */
  down: LinkDirection[];
  up: LinkDirection[];
}

/** A connection over separate links, one per path, like the lab's multihomed network. */
export function connectPaths(
  specs: readonly (Partial<DirectionSpec> & { delayMs: number })[],
  options: Partial<MptcpOptions> & { seed?: number } = {},
): TwoPaths {
  const { seed = 1, ...rest } = options;
  const simulation = new Simulation(seed);
  const make = (spec: Partial<DirectionSpec> & { delayMs: number }, name: string): LinkDirection =>
    new LinkDirection(simulation, name, { queueBytes: 60_000, queue, ...spec });
  const down = specs.map((spec, index) => make(spec, `path${index + 1} down`));
  const up = specs.map((spec, index) => make(spec, `path${index + 1} up`));
  const connection = new MptcpConnection(simulation, {
    flow: 1,
    createScheduler: () => new Mainline(),
    createCongestion: () => new Cubic(),
    ...rest,
    paths: specs.map((_, index) => ({
      there: [up[index]].filter((link) => link !== undefined),
      back: [down[index]].filter((link) => link !== undefined),
    })),
  });
  return { simulation, connection, down, up };
}

/**
 * Fetches objects one after the other, like a player with an empty buffer: a request of 300 bytes, then the
 * object.
 * @returns goodput in bits per second from the first request to the last byte, and the completion time of
 * each object
 */
export function fetchObjects(
  { simulation, connection }: TwoPaths,
  objectBytes: number,
  untilNs: number,
): { goodputBps: number; doneNs: number[] } {
  const { client, server } = connection;
  const doneNs: number[] = [];
  let wanted = 0;
  const request = (): void => {
    wanted += objectBytes;
    client.send(300);
  };
  let asked = 0;
  server.onReceive = (bytes) => {
    asked += bytes;
    for (; asked >= 300; asked -= 300) server.send(objectBytes);
  };
  client.onReceive = () => {
    if (client.receivedBytes < wanted) return;
    doneNs.push(simulation.nowNs);
    request();
  };
  connection.connect();
  request();
  simulation.run(untilNs);
  const lastNs = doneNs.at(-1) ?? untilNs;
  return { goodputBps: (doneNs.length * objectBytes * 8e9) / lastNs, doneNs };
}
