import {
  type CongestionName,
  congestionControls,
  createTcpStream,
  LinkDirection,
  MptcpConnection,
  type Packet,
  type Receiver,
  schedulers,
  Simulation,
  Timer,
} from '../../src/sim';
import type { Section, TruthOptions, TruthRow } from './rows';

const SECOND = 1e9;
const MSS = 1448;
const DATA_PACKET_BYTES = 1000;
/** Up to this loss rate, losses are isolated. */
const MAX_LOSS = 0.01;
const droptail = { discipline: 'droptail' as const };

/** Loses every nth data packet: the loss model of the closed forms. */
class PeriodicLoss implements Receiver {
  readonly #every: number;
  #count = 0;

  constructor(every: number) {
    this.#every = every;
  }

  receive(packet: Packet): void {
    if (packet.sizeBytes > DATA_PACKET_BYTES) this.#count += 1;
    if (this.#count < this.#every) packet.forward();
    else this.#count = 0;
  }
}

interface LossyRun {
  congestion: CongestionName;
  rttMs: number;
  lossRatio: number;
  /** Every 1/p-th packet, instead of each with probability p. */
  periodic: boolean;
  seconds: number;
}

/** Goodput over a link that is never full. */
function lossyGoodputBps({ congestion, rttMs, lossRatio, periodic, seconds }: LossyRun): number {
  const simulation = new Simulation(1);
  const spec = { rateBps: 10e9, delayMs: rttMs / 2, queueBytes: 1e9, queue: droptail };
  const down = new LinkDirection(simulation, 'down', periodic ? spec : { ...spec, lossRatio });
  const up = new LinkDirection(simulation, 'up', spec);
  const { client, server, connect } = createTcpStream(simulation, {
    there: [up],
    back: periodic ? [down, new PeriodicLoss(Math.round(1 / lossRatio))] : [down],
    flow: 1,
    windowBytes: 1e9,
    createCongestion: () => congestionControls[congestion]([]),
  });
  connect();
  server.send(1e13);
  simulation.run((seconds / 5) * SECOND);
  const before = client.receivedBytes;
  simulation.run(seconds * SECOND);
  return ((client.receivedBytes - before) * 8) / (seconds * 0.8);
}

/** Number of TCP shares that a connection of two subflows takes beside one Reno flow on one link. */
function worthBesideReno(congestion: CongestionName, seconds: number): number {
  const simulation = new Simulation(5);
  const spec = { rateBps: 8e6, delayMs: 20, queueBytes: 80_000, queue: droptail };
  const down = new LinkDirection(simulation, 'down', spec);
  const up = new LinkDirection(simulation, 'up', { ...spec, rateBps: 100e6 });
  const path = { there: [up], back: [down] };
  const multi = new MptcpConnection(simulation, {
    paths: [path, path],
    flow: 1,
    createScheduler: schedulers['min-rtt'],
    createCongestion: congestionControls[congestion],
  });
  const single = createTcpStream(simulation, {
    ...path,
    flow: 9,
    createCongestion: () => congestionControls.reno(),
  });
  multi.connect();
  new Timer(simulation, single.connect).setAt(1.3 * SECOND);
  multi.server.send(1e12);
  single.server.send(1e12);
  simulation.run(30 * SECOND);
  const before = [multi.client.receivedBytes, single.client.receivedBytes] as const;
  simulation.run((30 + seconds) * SECOND);
  return (multi.client.receivedBytes - before[0]) / (single.client.receivedBytes - before[1]);
}

/** Padhye, Firoiu, Towsley, Kurose: SIGCOMM 1998, equation 30, one acknowledgement counted a segment (RFC 3465). */
function padhyeBps(rttSeconds: number, lossRatio: number): number {
  const timeoutSeconds = rttSeconds + 0.2;
  const growth = rttSeconds * Math.sqrt((2 * lossRatio) / 3);
  const timeouts =
    timeoutSeconds *
    Math.min(1, 3 * Math.sqrt((3 * lossRatio) / 8)) *
    lossRatio *
    (1 + 32 * lossRatio * lossRatio);
  return (MSS * 8) / (growth + timeouts);
}

function renoRows(scale: number): TruthRow[] {
  const mathis = [0.002, 0.0005].map((lossRatio): TruthRow => {
    const seconds = 200 * scale;
    const run = { congestion: 'reno', rttMs: 50, lossRatio, periodic: true, seconds } as const;
    return {
      what: `Reno, 50 ms, every ${1 / lossRatio}th packet lost: MSS/RTT sqrt(3/2p) (Mathis et al. 1997)`,
      unit: 'Mbit/s',
      truth: (((MSS * 8) / 0.05) * Math.sqrt(1.5 / lossRatio)) / 1e6,
      simulated: lossyGoodputBps(run) / 1e6,
      boundRatio: 0.1,
    };
  });
  const padhye = [0.002, 0.01, 0.03].map((lossRatio): TruthRow => {
    const seconds = 600 * scale;
    const run = { congestion: 'reno', rttMs: 50, lossRatio, periodic: false, seconds } as const;
    return {
      what: `Reno, 50 ms, ${lossRatio * 100} % lost at random: Padhye et al. 1998, eq. 30`,
      unit: 'Mbit/s',
      truth: padhyeBps(0.05, lossRatio) / 1e6,
      simulated: lossyGoodputBps(run) / 1e6,
      // The formula assumes time-outs where SACK repairs.
      ...(lossRatio > MAX_LOSS
        ? { note: 'reported only: the formula is of TCP without SACK, which times out more' }
        : { boundRatio: 0.2 }),
    };
  });
  return [...mathis, ...padhye];
}

function cubicRows(scale: number): TruthRow[] {
  return [
    { rttMs: 100, lossRatio: 0.0001 },
    { rttMs: 200, lossRatio: 0.0002 },
  ].map(({ rttMs, lossRatio }): TruthRow => {
    const seconds = 2000 * scale;
    const run = { congestion: 'cubic', rttMs, lossRatio, periodic: true, seconds } as const;
    const rtt = rttMs / 1000;
    // C (3 + beta) / (4 (1 - beta)), to the fourth root.
    const factor = Math.sqrt(Math.sqrt((0.4 * 3.7) / 1.2));
    const window = factor * (rtt / lossRatio) ** 0.75;
    return {
      what: `Cubic, ${rttMs} ms, every ${1 / lossRatio}th packet lost: average window of RFC 9438, fig. 6`,
      unit: 'segments',
      truth: window,
      simulated: (lossyGoodputBps(run) * rtt) / (MSS * 8),
      boundRatio: 0.15,
    };
  });
}

function couplingRows(scale: number): TruthRow[] {
  const share = (congestion: CongestionName, truth: number, bound?: number): TruthRow => ({
    what: `two subflows of ${congestion} beside one of reno on 8 Mbit/s: TCPs' worth`,
    unit: '',
    truth,
    simulated: worthBesideReno(congestion, 300 * scale),
    ...(bound === undefined ? {} : { boundDifference: bound }),
  });
  return [
    share('reno', 2, 0.4),
    share('lia', 1, 0.3),
    share('olia', 1, 0.5),
    share('balia', 1, 0.5),
    {
      ...share('wvegas', 1),
      note: 'delay-based: gives way to what fills queues, as it should',
    },
  ];
}

/** Compares the simulator with analytic results. */
export function checkForms({ quick, progress }: TruthOptions): Section {
  const scale = quick ? 0.3 : 1;
  progress('closed forms: Reno');
  const reno = renoRows(scale);
  progress('closed forms: Cubic');
  const cubic = cubicRows(scale);
  progress('closed forms: coupled shares');
  const coupling = couplingRows(scale);
  return {
    name: 'forms',
    title: 'Closed forms: one flow on a link that is never full; two subflows beside one TCP',
    rows: [...reno, ...cubic, ...coupling],
  };
}
