// One film's segments one after the other, over byte ranges, MPTCP or one network of a scenario, simulated.
import { createChunkScheduler } from '../../../src/chunks';
import type { Scenario } from '../../../src/scenario';
import {
  congestionControls,
  every,
  MptcpConnection,
  RangeFetcher,
  schedulers,
  SimNetwork,
  startBackground,
  Simulation,
} from '../../../src/sim';

/** 2 s of 3 Mbit/s. */
export const SEGMENT_BYTES = 750_000;
const SAMPLE_NS = 100e6;
const MS = 1e6;

export interface Fetched {
  goodputBps: number;
  /** Bytes that arrived twice, as share of the received ones. */
  duplicateShare: number;
  /** Bytes in flight on connections when they were closed, as share of the received ones. */
  wastedShare: number;
  /** Longest time without a byte in order. */
  longestGapMs: number;
}

export interface FetchOptions {
  scenario: Pick<Scenario, 'topology' | 'events' | 'traffic'>;
  seconds: number;
  seed: number;
  /** Default all. */
  paths?: readonly string[];
}

/** Segments as byte ranges; the next one is announced while one is fetched. */
export function fetchRanges(
  options: FetchOptions & {
    scheduler?: string;
    config?: object;
    ahead?: number;
  },
): Fetched {
  const { simulation, network } = start(options);
  const ids = options.paths ?? network.paths.map(({ id }) => id);
  const fetcher = new RangeFetcher(simulation, {
    networks: network.pathsOf(ids),
    scheduler: createChunkScheduler(options.scheduler, options.config),
    createCongestion: congestionControls.cubic,
    flow: 1000,
  });
  network.onCarrier((link, isUp) => {
    for (const path of network.paths.filter(({ via }) => via[0] === link)) {
      fetcher.setUp(path.id, isUp);
    }
  });
  const next = (): void => {
    fetcher.fetch(SEGMENT_BYTES, undefined, next);
  };
  for (let count = 0; count <= (options.ahead ?? 1); count += 1) next();
  const gap = new GapMeter(simulation, () => fetcher.orderedBytes);
  simulation.run(options.seconds * 1e9);
  const useful = fetcher.receivedBytes - fetcher.duplicateBytes;
  return {
    goodputBps: (useful * 8) / options.seconds,
    duplicateShare: fetcher.duplicateBytes / Math.max(1, fetcher.receivedBytes),
    wastedShare: fetcher.wastedBytes / Math.max(1, fetcher.receivedBytes),
    longestGapMs: gap.longestMs,
  };
}

/** Segments one after the other on one persistent connection. */
export function fetchMptcp(options: FetchOptions): Fetched {
  const { simulation, network } = start(options);
  const ids = options.paths ?? network.paths.map(({ id }) => id);
  const connection = new MptcpConnection(simulation, {
    paths: network.pathsOf(ids),
    flow: 1,
    createScheduler: schedulers.mainline,
    createCongestion: congestionControls.cubic,
  });
  const { client, server } = connection;
  const requestBytes = 400;
  let asked = 0;
  let wanted = 0;
  server.onReceive = (bytes) => {
    asked += bytes;
    for (; asked >= requestBytes; asked -= requestBytes) server.send(SEGMENT_BYTES);
  };
  const request = (): void => {
    wanted += SEGMENT_BYTES;
    client.send(requestBytes);
  };
  client.onReceive = () => {
    if (client.receivedBytes >= wanted) request();
  };
  network.onCarrier((link, isUp) => {
    network.pathsOf(ids).forEach(({ via }, index) => {
      if (via[0] !== link) return;
      if (isUp) connection.rejoin(index);
      else connection.remove(index);
    });
  });
  connection.connect();
  request();
  const gap = new GapMeter(simulation, () => client.receivedBytes);
  simulation.run(options.seconds * 1e9);
  return {
    goodputBps: (client.receivedBytes * 8) / options.seconds,
    duplicateShare: 0,
    wastedShare: 0,
    longestGapMs: gap.longestMs,
  };
}

function start({ scenario, seed }: FetchOptions): { simulation: Simulation; network: SimNetwork } {
  const simulation = new Simulation(seed);
  const network = new SimNetwork(simulation, scenario.topology);
  network.follow(scenario.events);
  const controlOf = (node: string): string =>
    scenario.topology.nodes.find(({ id }) => id === node)?.congestionControl ?? 'cubic';
  startBackground(simulation, network, scenario.traffic, controlOf);
  return { simulation, network };
}

class GapMeter {
  longestMs = 0;

  constructor(simulation: Simulation, read: () => number) {
    let last = -1;
    let atMs = 0;
    every(simulation, SAMPLE_NS, () => {
      const nowMs = simulation.nowNs / MS;
      const bytes = read();
      if (bytes > last) atMs = nowMs;
      last = bytes;
      this.longestMs = Math.max(this.longestMs, nowMs - atMs);
    });
  }
}
