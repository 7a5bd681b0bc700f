// Prints a hash for each of many short simulations: every scheduler, congestion control, queue discipline and
// controller, and a job of every experiment. Engines that print the same lines simulate bit by bit alike.
// Usage: node --import tsx scripts/truth/hashes.ts
import { createHash } from 'node:crypto';
import { robustMpc } from '../../src/abr';
import { type DirectionSpec, expandTopology, QUEUE_DISCIPLINES } from '../../src/scenario';
import {
  BufferBased,
  Bola,
  congestionControls,
  type CongestionName,
  LinkDirection,
  MptcpConnection,
  RateBased,
  statelessController,
  schedulers,
  type SchedulerName,
  simulateSession,
  type SimPlayer,
  Simulation,
} from '../../src/sim';
import { experimentHashes } from './hash-experiments';

const SECOND = 1e9;
const droptail = { discipline: 'droptail' as const };

/** A download over two different paths with loss and jitter: arrival times and all counters. */
function hashDownload(
  scheduler: SchedulerName,
  congestion: CongestionName,
  change: Partial<DirectionSpec> = {},
): string {
  const hash = createHash('sha256');
  const simulation = new Simulation(7);
  const link = (name: string, rateBps: number, delayMs: number): LinkDirection =>
    new LinkDirection(simulation, name, {
      rateBps,
      delayMs,
      lossRatio: 0.002,
      jitter: { shape: 'normal', spreadMs: 3 },
      queue: droptail,
      ...change,
    });
  const links = [
    link('d1', 8e6, 15),
    link('d2', 5e6, 40),
    link('u1', 8e6, 15),
    link('u2', 5e6, 40),
  ];
  const [down1, down2, up1, up2] = links as [
    LinkDirection,
    LinkDirection,
    LinkDirection,
    LinkDirection,
  ];
  const { client, server, ...connection } = connect(simulation, scheduler, congestion, [
    { there: [up1], back: [down1] },
    { there: [up2], back: [down2] },
  ]);
  client.onReceive = (bytes) => hash.update(`${simulation.nowNs} ${bytes}\n`);
  connection.start();
  server.send(1e9);
  simulation.run(15 * SECOND);
  const windows = server.subflows.map(({ cwnd, srttNs }) => [cwnd, srttNs]);
  const stats = links.map((one) => one.stats());
  return hash.update(JSON.stringify([stats, windows])).digest('hex');
}

function connect(
  simulation: Simulation,
  scheduler: SchedulerName,
  congestion: CongestionName,
  paths: { there: LinkDirection[]; back: LinkDirection[] }[],
): Pick<MptcpConnection, 'client' | 'server'> & { start: () => void } {
  const connection = new MptcpConnection(simulation, {
    paths,
    flow: 1,
    createScheduler: schedulers[scheduler],
    createCongestion: congestionControls[congestion],
  });
  const { client, server } = connection;
  return { client, server, start: () => connection.connect() };
}

/** A session of 40 s over two different paths: its whole log. */
function hashSession(player: SimPlayer): string {
  const rates = [300, 600, 1000, 1800, 3000, 4500].map((kbps) => kbps * 1000);
  const path = (id: string, rateBps: number, delayMs: number, lossRatio = 0): object => {
    const direction = { rateBps, delayMs, lossRatio, queue: droptail, queueBytes: 60_000 };
    return { id, down: direction, up: direction };
  };
  const events = simulateSession({
    scenario: {
      name: 'hash',
      topology: expandTopology({
        kind: 'multihomed',
        paths: [path('wifi', 5e6, 10), path('lte', 6e5, 150, 0.01)] as never,
      }),
      traffic: [],
      events: [
        { kind: 'link-state', link: 'wifi', atMs: 20_000, state: 'down' },
        { kind: 'link-state', link: 'wifi', atMs: 26_000, state: 'up' },
      ],
      durationMs: 40_000,
    },
    media: {
      segmentMs: 2000,
      video: rates.map((bitrateBps) => ({
        bitrateBps,
        bytes: Array.from({ length: 40 }, (_, i) =>
          Math.round((bitrateBps / 4) * (0.8 + (i % 5) / 10)),
        ),
      })),
      audio: [{ bitrateBps: 128_000, bytes: Array.from({ length: 40 }, () => 32_000) }],
    },
    player,
    seed: 3,
    createScheduler: schedulers.mainline,
    createCongestion: congestionControls.cubic,
  });
  return createHash('sha256').update(JSON.stringify(events)).digest('hex');
}

const print = (name: string, hash: string): void => {
  process.stdout.write(`${hash.slice(0, 16)} ${name}\n`);
};
for (const name of Object.keys(schedulers) as SchedulerName[]) {
  print(`scheduler ${name}`, hashDownload(name, 'cubic'));
}
for (const name of Object.keys(congestionControls) as CongestionName[]) {
  print(`congestion ${name}`, hashDownload('min-rtt', name));
  print(
    `congestion ${name}, deep queue`,
    hashDownload('mainline', name, { queueBytes: 200_000, lossRatio: 0 }),
  );
}
for (const discipline of QUEUE_DISCIPLINES) {
  print(`queue ${discipline}`, hashDownload('mainline', 'cubic', { queue: { discipline } }));
}
print(
  'session brain',
  hashSession({ kind: 'brain', config: { policy: 'model', abr: 'multipath' } }),
);
for (const create of [
  () => new RateBased(),
  () => new Bola(),
  () => new BufferBased(),
  () => statelessController('robust-mpc', robustMpc),
]) {
  print(`session ${create().name}`, hashSession({ kind: 'controller', create }));
}
for (const { name, hash } of experimentHashes()) print(name, hash);
