import type { QueueSpec } from '../../src/scenario';
import {
  congestionControls,
  createTcpStream,
  LinkDirection,
  Simulation,
  Timer,
  type CongestionName,
} from '../../src/sim';

/**
 * Senders and receivers on fast links at both sides of one slow link: the usual network for comparing
 * simulators. Three links each way.
 */
export interface Dumbbell {
  flows: number;
  congestion: CongestionName;
  /** Rate of the slow link; the others have ten times as much. */
  rateBps: number;
  /** One way, of the slow link; the others have 1 ms each. */
  delayMs: number;
  queue: QueueSpec;
  queuePackets: number;
  seconds: number;
  /** Start of the measurement. */
  warmUpSeconds: number;
  seed: number;
}

export interface DumbbellResult {
  goodputBps: number[];
  /** Mean time of packets in the slow link's queue, from arrival to the first bit sent. */
  queueDelayMs: number;
  drops: number;
  /** Bottleneck packets that were carried. */
  packets: number;
  /** The scheduler's. */
  events: number;
}

const MS = 1e6;
const SECOND = 1e9;
const FAST_FACTOR = 10;
/** Flows start one after the other, so that they are not synchronised. */
export const START_GAP_MS = 100;
const IP_BYTES = 1500;

/** Runs it in our simulator. */
export function simulateDumbbell(dumbbell: Dumbbell): DumbbellResult {
  const { rateBps, delayMs, queue, queuePackets, flows, congestion } = dumbbell;
  const simulation = new Simulation(dumbbell.seed);
  const open = { discipline: 'droptail' as const, limitPackets: 10_000 };
  const fast = (name: string): LinkDirection =>
    new LinkDirection(simulation, name, {
      rateBps: rateBps * FAST_FACTOR,
      delayMs: 1,
      queueBytes: 10_000 * IP_BYTES,
      queue: open,
    });
  const down = new LinkDirection(simulation, 'down', {
    rateBps,
    delayMs,
    queueBytes: queuePackets * IP_BYTES,
    queue: { ...queue, limitPackets: queuePackets },
  });
  const up = new LinkDirection(simulation, 'up', {
    rateBps,
    delayMs,
    queueBytes: 10_000 * IP_BYTES,
    queue: open,
  });
  let waits = 0;
  let waitedNs = 0;
  const fromNs = dumbbell.warmUpSeconds * SECOND;
  down.onWait = (waitNs, nowNs) => {
    if (nowNs < fromNs) return;
    waits += 1;
    waitedNs += waitNs;
  };
  const clients = Array.from({ length: flows }, (_, index) => {
    const ends = (side: string): LinkDirection => fast(`${side} ${index}`);
    const { client, server, connect } = createTcpStream(simulation, {
      there: [ends('client out'), up, ends('server in')],
      back: [ends('server out'), down, ends('client in')],
      flow: index,
      createCongestion: () => congestionControls[congestion]([]),
    });
    server.send(1e13);
    new Timer(simulation, connect).setAt(Math.round((index * START_GAP_MS + 1) * MS));
    return client;
  });
  simulation.run(fromNs);
  const before = clients.map(({ receivedBytes }) => receivedBytes);
  simulation.run(dumbbell.seconds * SECOND);
  const measured = dumbbell.seconds - dumbbell.warmUpSeconds;
  return {
    goodputBps: clients.map(
      ({ receivedBytes }, index) => ((receivedBytes - (before[index] ?? 0)) * 8) / measured,
    ),
    queueDelayMs: waitedNs / Math.max(1, waits) / MS,
    drops: down.stats().queueDrops,
    packets: down.stats().outPackets,
    events: simulation.events,
  };
}
