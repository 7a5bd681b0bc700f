import type { DirectionSpec } from '../../src/scenario';
import {
  congestionControls,
  LinkDirection,
  MptcpConnection,
  schedulers,
  Simulation,
} from '../../src/sim';
import { type CaseResult, type KernelCase, pathsOf } from './cases';

const SECOND = 1e9;
const REQUEST_BYTES = 90;
const HEADER_BYTES = 250;
/** The payload share of a full packet on a subflow. */
export const DATA_SHARE = 1420 / 1500;

/**
 * A case of the truth table in the simulator, with the kernel's defaults: MPTCP, its mainline scheduler,
 * Cubic unless the case has another control.
 */
export function simulateCase(one: KernelCase, seconds: number, seed: number): CaseResult {
  const simulation = new Simulation(seed);
  const link = (name: string, spec: DirectionSpec): LinkDirection =>
    new LinkDirection(simulation, name, spec);
  const links = pathsOf(one).map((path, index) => {
    const spec: DirectionSpec = { ...path, queue: path.queue ?? { discipline: 'droptail' } };
    return { down: link(`${index} down`, spec), up: link(`${index} up`, spec) };
  });
  const connection = new MptcpConnection(simulation, {
    paths: links.map(({ down, up }) => ({ there: [up], back: [down] })),
    flow: 1,
    createScheduler: schedulers.mainline,
    createCongestion: congestionControls[one.control ?? 'cubic'],
  });
  const { client, server } = connection;
  const objectBytes = (one.objectBytes ?? 1e12) + HEADER_BYTES;
  let done = 0;
  let doneNs = 0;
  client.onReceive = () => {
    if (client.receivedBytes < (done + 1) * objectBytes) return;
    done += 1;
    doneNs = simulation.nowNs;
    client.send(REQUEST_BYTES);
  };
  let asked = 0;
  server.onReceive = (bytes) => {
    asked += bytes;
    for (; asked >= REQUEST_BYTES; asked -= REQUEST_BYTES) server.send(objectBytes);
  };
  connection.connect();
  client.send(REQUEST_BYTES);
  simulation.run(seconds * SECOND);
  const pathBps = links.map(({ down }) => (down.stats().outBytes * 8) / seconds);
  const total = pathBps.reduce((sum, bps) => sum + bps, 0);
  return {
    name: one.name,
    goodputBps:
      done === 0 ? total * DATA_SHARE : (done * (one.objectBytes ?? 0) * 8 * SECOND) / doneNs,
    pathBps,
  };
}
