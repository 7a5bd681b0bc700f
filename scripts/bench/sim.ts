// Cost of the simulator: packet events per second, a session's wall time, its heap over an hour. An event is
// one of the scheduler: for a packet the end of serialisation and the arrival, at every link, plus TCP's
// timers. The program ns-3 counts its own events differently, so the ratio of wall times on the same dumbbell
// is more informative.
// Usage: node --expose-gc --import tsx scripts/bench/sim.ts [--json] [--runs N] [--only
// dumbbell,mptcp,session,heap]
import { median } from '../../src/core';
import { expandTopology } from '../../src/scenario';
import {
  congestionControls,
  LinkDirection,
  MptcpConnection,
  schedulers,
  simulateSession,
  Simulation,
} from '../../src/sim';
import { type Dumbbell, simulateDumbbell } from '../truth/dumbbell';
import { findNs3 } from '../truth/ns3/ns3';
import { readOptions, wrongOption } from '../setup/options.mjs';

const PARTS = ['dumbbell', 'mptcp', 'session', 'heap'];
const SECOND = 1e9;
const droptail = { discipline: 'droptail' as const };

const USAGE = `npm run bench -- sim [--json] [--runs N] [--only ${PARTS.join(',')}]
  --runs N          of each part (default 5)
  --only PART,...   these parts
  --json            the rows for machines`;
const values = readOptions(USAGE, {
  json: { type: 'boolean', default: false },
  runs: { type: 'string', default: '5' },
  only: { type: 'string', default: PARTS.join(',') },
});
const runs = Number(values.runs);
const only = values.only.split(',');
const unknown = only.find((name) => !PARTS.includes(name));
if (!(runs >= 1) || unknown !== undefined) {
  wrongOption(`--runs from 1; --only of ${PARTS.join(', ')}`, USAGE);
}

interface Timed {
  wallMs: number;
  /** User-mode CPU time of this process: the wall time of a quiet machine. */
  cpuMs: number;
}

function timed<T>(action: () => T): T & Timed {
  const cpuBefore = process.cpuUsage().user;
  const startMs = performance.now();
  const result = action();
  const wallMs = performance.now() - startMs;
  return { ...result, wallMs, cpuMs: (process.cpuUsage().user - cpuBefore) / 1000 };
}

/** Medians of several runs, after a warm-up. */
function repeat(action: () => { events: number }): Record<string, number> {
  action();
  const all = Array.from({ length: runs }, () => timed(action));
  const of = (read: (run: (typeof all)[number]) => number): number => median(all.map(read)) ?? 0;
  return {
    events: all[0]?.events ?? 0,
    wallMs: of(({ wallMs }) => wallMs),
    eventsPerSecond: of(({ events, wallMs }) => (events * 1000) / wallMs),
    eventsPerCpuSecond: of(({ events, cpuMs }) => (events * 1000) / cpuMs),
  };
}

const dumbbell: Dumbbell = {
  flows: 4,
  congestion: 'cubic',
  rateBps: 100e6,
  delayMs: 18,
  queue: droptail,
  queuePackets: 333,
  seconds: 20,
  warmUpSeconds: 5,
  seed: 1,
};

function benchDumbbell(): Record<string, number | string> {
  const ours = repeat(() => simulateDumbbell(dumbbell));
  const ns3 = findNs3();
  if (!ns3.ok) return { ...ours, ns3: ns3.reason };
  const { wallMs, events } = ns3.run(dumbbell, false);
  return {
    ...ours,
    ns3WallMs: wallMs,
    ns3EventsPerSecond: (events * 1000) / wallMs,
    timesFasterThanNs3: wallMs / (ours['wallMs'] ?? Infinity),
  };
}

/** A bulk transfer over two paths, 50 and 30 Mbit/s. */
function simulateBulk(): { events: number } {
  const simulation = new Simulation(1);
  const link = (name: string, rateBps: number, delayMs: number): LinkDirection =>
    new LinkDirection(simulation, name, { rateBps, delayMs, queueBytes: 240_000, queue: droptail });
  const path = (name: string, rateBps: number, delayMs: number) => ({
    there: [link(`${name} up`, rateBps, delayMs)],
    back: [link(`${name} down`, rateBps, delayMs)],
  });
  const connection = new MptcpConnection(simulation, {
    paths: [path('one', 50e6, 10), path('two', 30e6, 25)],
    flow: 1,
    createScheduler: schedulers.mainline,
    createCongestion: congestionControls.cubic,
  });
  connection.connect();
  connection.server.send(1e13);
  simulation.run(30 * SECOND);
  return { events: simulation.events };
}

/** Our brain on a ladder up to 5 Mbit/s over 4 and 3 Mbit/s. */
function simulateMinutes(minutes: number): Timed {
  const rates = [300, 600, 1000, 1800, 3000, 5000].map((kbps) => kbps * 1000);
  const segments = minutes * 30 + 10;
  const path = (id: string, rateBps: number, delayMs: number) => {
    const direction = { rateBps, delayMs, queueBytes: 60_000, queue: droptail };
    return { id, down: direction, up: direction };
  };
  return timed(() => {
    simulateSession({
      scenario: {
        name: 'bench',
        topology: expandTopology({
          kind: 'multihomed',
          paths: [path('wifi', 4e6, 20), path('lte', 3e6, 40)],
        }),
        traffic: [],
        events: [],
        durationMs: minutes * 60_000,
      },
      media: {
        segmentMs: 2000,
        video: rates.map((bitrateBps) => ({
          bitrateBps,
          bytes: Array.from({ length: segments }, () => bitrateBps / 4),
        })),
        audio: [],
      },
      player: { kind: 'brain', config: { policy: 'model', abr: 'multipath' } },
      seed: 1,
      createScheduler: schedulers.mainline,
      createCongestion: congestionControls.cubic,
    });
    return {};
  });
}

function benchSession(): Record<string, number> {
  simulateMinutes(1);
  const all = Array.from({ length: runs }, () => simulateMinutes(10));
  return {
    simulatedSeconds: 600,
    wallMs: median(all.map(({ wallMs }) => wallMs)) ?? 0,
    cpuMs: median(all.map(({ cpuMs }) => cpuMs)) ?? 0,
  };
}

/** Heap during a download of an hour over two paths, every five minutes. A session's own log would grow. */
function benchHeap(): Record<string, number | number[]> {
  const collect = globalThis.gc;
  if (collect === undefined) throw new Error('run it with node --expose-gc');
  const simulation = new Simulation(1);
  const spec = { rateBps: 5e6, delayMs: 20, lossRatio: 0.002, queueBytes: 60_000, queue: droptail };
  const link = (name: string): LinkDirection => new LinkDirection(simulation, name, spec);
  const connection = new MptcpConnection(simulation, {
    paths: ['one', 'two'].map((name) => ({ there: [link(`${name} up`)], back: [link(name)] })),
    flow: 1,
    createScheduler: schedulers.mainline,
    createCongestion: congestionControls.cubic,
  });
  connection.connect();
  connection.server.send(1e13);
  const heapMb: number[] = [];
  for (let minutes = 5; minutes <= 60; minutes += 5) {
    simulation.run(minutes * 60 * SECOND);
    collect();
    heapMb.push(process.memoryUsage().heapUsed / 1e6);
  }
  const [first = 0] = heapMb;
  return { heapMb, growthMb: (heapMb.at(-1) ?? 0) - first };
}

const benches: Record<string, () => Record<string, unknown>> = {
  dumbbell: benchDumbbell,
  mptcp: () => repeat(simulateBulk),
  session: benchSession,
  heap: benchHeap,
};
const results: Record<string, Record<string, unknown>> = {};
for (const name of only) {
  process.stderr.write(`[bench] sim: ${name}\n`);
  results[name] = benches[name]?.() ?? {};
}
const show = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(show).join(' ')
    : typeof value === 'number'
      ? value.toLocaleString('en', { maximumSignificantDigits: 4 })
      : String(value);
if (values.json) {
  process.stdout.write(`${JSON.stringify({ runs, ...results }, null, 2)}\n`);
} else {
  for (const [name, figures] of Object.entries(results)) {
    process.stdout.write(`${name}\n`);
    for (const [key, value] of Object.entries(figures)) {
      process.stdout.write(`  ${key.padEnd(22)} ${show(value)}\n`);
    }
  }
}
