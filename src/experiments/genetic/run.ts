import { createRandom } from '../../core';
import type { LogEvent } from '../../session-log';
import {
  congestionControls,
  RateBased,
  schedulers,
  SimSession,
  type SessionNetwork,
  Simulation,
  Timer,
} from '../../sim';
import { makeFilm } from '../film';
import { pathSelection } from './approaches';
import { clientOutcome } from './client-outcome';
import { RouteController } from './controller';
import { geneticSelectionConfig, selectGenetically } from './genetic-selection';
import type {
  ClientOutcome,
  GeneticJob,
  GeneticOutcome,
  SearchJob,
  SearchOutcome,
  StreamJob,
  StreamOutcome,
} from './jobs';
import { drawLinks, LINK_TABLE } from './link-values';
import { viewPath, type Choice } from './selection';
import { busiestSwitch, switchGraph, type SwitchGraph } from './switch-graph';
import { READ_NS, SwitchNetwork } from './switch-network';
import { listNearPaths, listPaths, type SwitchPath } from './switch-paths';

/** Section IV-A-1. */
export const FILM_RATES_BPS = [1500e3, 2000e3, 2500e3, 2600e3] as const;
export const SEGMENT_MS = 2000;
/** Interfaces of a client, which bounds its subflows. */
export const SUBFLOWS = 3;
/** Buffer target of a client: dash.js's default when the paper was written. */
export const BUFFER_MS = 12_000;

/** A search's time with the ablation `controller`: the middle of the paper's 0.5 to 2.46 s. */
const SEARCH_MS = 1500;

export function runGenetic(job: GeneticJob): GeneticOutcome {
  return job.kind === 'stream' ? runStream(job) : runSearch(job);
}

/** Switches of the clients, drawn per trial, never the server's. */
export function placeClients(graph: SwitchGraph, count: number, seed: number): number[] {
  const server = busiestSwitch(graph);
  const others = Array.from({ length: graph.switches }, (_, at) => at).filter(
    (at) => at !== server,
  );
  const random = createRandom(seed);
  return Array.from({ length: count }, () => others[Math.floor(random() * others.length)] ?? 0);
}

function runStream(job: StreamJob): StreamOutcome {
  const graph = switchGraph(job.topology, job.seed);
  const values = drawLinks(
    graph.links.length,
    LINK_TABLE[job.topology][job.clients],
    job.seed + 1000,
  );
  const simulation = new Simulation(job.seed);
  const network = new SwitchNetwork(simulation, graph, values);
  const reader = new Timer(simulation, () => {
    network.read();
    reader.setIn(READ_NS);
  });
  reader.setIn(READ_NS);
  const controller = new RouteController(simulation, network, SEARCH_MS);
  const select = pathSelection(job.approach, job.topology, job.ablation);
  const film = makeFilm(FILM_RATES_BPS, SEGMENT_MS, Math.ceil(job.filmMs / SEGMENT_MS));
  const outcomes: ClientOutcome[] = [];
  const running = new Map<number, () => LogEvent[]>();
  const server = busiestSwitch(graph);
  const delaysMs = values.map(({ delayMs }) => delayMs);
  const join = (client: number, at: number): void => {
    const listed = (): SwitchPath[] => {
      if (job.ablation !== 'all-paths') return listPaths(graph, at, server);
      const near = listNearPaths(graph, at, server, delaysMs, geneticSelectionConfig.maxDelayMs);
      return near.length > 0 ? near : listPaths(graph, at, server);
    };
    const choose = (): SwitchPath[] => choosePaths(network, select, listed(), job.seed + client);
    let subflows = 0;
    const take = (chosen: readonly SwitchPath[]): void => {
      subflows = chosen.length;
    };
    const assign = (): SessionNetwork => {
      const chosen = choose();
      take(chosen);
      return network.assign(client, chosen);
    };
    const place =
      job.ablation === 'controller' ? controller.admit(client, SUBFLOWS, choose, take) : assign();
    const end = (): LogEvent[] => {
      const log = session.finish();
      running.delete(client);
      network.release(client);
      outcomes[client] = clientOutcome(log, subflows);
      if (running.size === 0) simulation.stop();
      return log;
    };
    const session = new SimSession(
      {
        // Plays to the end of the film.
        scenario: { name: job.key, durationMs: 100 * job.filmMs },
        media: film,
        player: { kind: 'controller', create: () => new RateBased() },
        seed: job.seed,
        bufferTargetMs: BUFFER_MS,
        createScheduler: schedulers[job.scheduler],
        createCongestion: congestionControls.cubic,
        receiveBufferBytes: job.receiveBufferBytes,
        lean: true,
      },
      { simulation, network: place, flow: client * 100_000, onEnd: end },
    );
    running.set(client, end);
    session.begin();
  };
  placeClients(graph, job.clients, job.seed + 2000).forEach((at, client) => {
    new Timer(simulation, () => join(client, at)).setAt(client * job.joinMs * 1e6);
  });
  const patienceMs = job.clients * job.joinMs + 4 * job.filmMs + 60_000;
  // Stops between clients if the first has left before the last joined.
  const lastJoinMs = (job.clients - 1) * job.joinMs;
  do simulation.run(patienceMs * 1e6);
  while (network.nowMs <= lastJoinMs && network.nowMs < patienceMs);
  for (const end of [...running.values()]) end();
  return { kind: 'stream', clients: outcomes };
}

function choosePaths(
  network: SwitchNetwork,
  select: ReturnType<typeof pathSelection>,
  listed: readonly SwitchPath[],
  seed: number,
): SwitchPath[] {
  const links = network.views();
  const paths = listed.map((path) => viewPath(path, links, network.clientsOn(path)));
  const chosen = select({ paths, links, subflows: SUBFLOWS, random: createRandom(seed) });
  return chosen.flatMap((at) => listed[at] ?? []);
}

/** The search of Fig. 10: the first client's choice, at the switch that is farthest from the server. */
export function searchChoice({
  topology,
  seed,
}: Omit<SearchJob, 'key' | 'kind' | 'population'>): Choice {
  const graph = switchGraph(topology, seed);
  const values = drawLinks(graph.links.length, LINK_TABLE[topology][30], seed + 1000);
  const links = values.map((value) => ({ ...value, usedBps: 0, clients: 0 }));
  const server = busiestSwitch(graph);
  const nearest = Array.from({ length: graph.switches }, (_, at) => at)
    .filter((at) => at !== server)
    .map((at) => ({ at, hops: listPaths(graph, at, server, 1)[0]?.links.length ?? 0 }));
  const far = nearest.reduce((most, one) => (one.hops > most.hops ? one : most));
  return {
    paths: listPaths(graph, far.at, server).map((path) => viewPath(path, links)),
    links,
    subflows: SUBFLOWS,
    random: createRandom(seed),
  };
}

function runSearch(job: SearchJob): SearchOutcome {
  const choice = searchChoice(job);
  const { evaluations, draws, fitness } = selectGenetically(choice, {
    ...geneticSelectionConfig,
    populationSize: job.population,
  });
  return { kind: 'search', paths: choice.paths.length, evaluations, draws, fitness };
}
