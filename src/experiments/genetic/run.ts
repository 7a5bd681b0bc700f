import { createRandom } from '../../core';
import type { LogEvent } from '../../session-log';
import {
  congestionControls,
  every,
  RateBased,
  schedulers,
  SimSession,
  type SessionNetwork,
  Simulation,
  Timer,
} from '../../sim';
import { clientOutcome } from './client-outcome';
import { RouteController } from './controller';
import { READ_MS } from './controller-view';
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
import { BUFFER_MS, patienceMs, streamSetUp, SUBFLOWS } from './set-up';
import { busiestSwitch, switchGraph } from './switch-graph';
import { SwitchNetwork } from './switch-network';
import { listPaths, type SwitchPath } from './switch-paths';

/** A search's time with the ablation `controller`: the middle of the paper's 0.5 to 2.46 s. */
const SEARCH_MS = 1500;

export function runGenetic(job: GeneticJob): GeneticOutcome {
  return job.kind === 'stream' ? runStream(job) : runSearch(job);
}

function runStream(job: StreamJob): StreamOutcome {
  const { graph, links, places, film, choose } = streamSetUp(job);
  const simulation = new Simulation(job.seed);
  const network = new SwitchNetwork(simulation, graph, links);
  every(simulation, READ_MS * 1e6, () => network.read());
  const controller = new RouteController(simulation, network, SEARCH_MS);
  const outcomes: ClientOutcome[] = [];
  const running = new Map<number, () => LogEvent[]>();
  const join = (client: number): void => {
    const choosePaths = (): SwitchPath[] => choose(network.view, client);
    let subflows = 0;
    const take = (chosen: readonly SwitchPath[]): void => {
      subflows = chosen.length;
    };
    const assign = (): SessionNetwork => {
      const chosen = choosePaths();
      take(chosen);
      return network.assign(client, chosen);
    };
    const place =
      job.ablation === 'controller'
        ? controller.admit(client, SUBFLOWS, choosePaths, take)
        : assign();
    const end = (): LogEvent[] => {
      const log = session.finish();
      running.delete(client);
      network.view.release(client);
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
  places.forEach((_, client) => {
    new Timer(simulation, () => join(client)).setAt(client * job.joinMs * 1e6);
  });
  const limitMs = patienceMs(job);
  // Stops between clients if the first has left before the last joined.
  const lastJoinMs = (job.clients - 1) * job.joinMs;
  do simulation.run(limitMs * 1e6);
  while (network.nowMs <= lastJoinMs && network.nowMs < limitMs);
  for (const end of [...running.values()]) end();
  return { kind: 'stream', clients: outcomes };
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
