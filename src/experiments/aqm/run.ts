import { sessionMetrics, summarize } from '../../qoe';
import { networkMetrics, trafficMetrics } from '../../report';
import { mediaSizes, serverOf, type Scenario } from '../../scenario';
import {
  congestionControls,
  RateBased,
  schedulers,
  SimNetwork,
  SimSession,
  Simulation,
  startBackground,
} from '../../sim';
import { queueSeconds } from './delay-series';
import type { AqmJob, AqmOutcome } from './job';
import { QueueLog } from './queue-log';

/** Links with the queues under test. */
const BOTTLENECKS = ['r1-r3', 'r2-r4'];
/** A player that never starts is given up after three times its playing time plus a minute. */
const PATIENCE_MS = 60_000;

function controlOf({ topology }: Scenario, node: string): string {
  return topology.nodes.find(({ id }) => id === node)?.congestionControl ?? 'cubic';
}

function congestionOf(scenario: Scenario): () => ReturnType<typeof congestionControls.cubic> {
  const server = serverOf(scenario.topology);
  const name = controlOf(scenario, server);
  if (name !== 'cubic') {
    throw new RangeError(`${server} has the congestion control ${name}; the paper has cubic`);
  }
  return congestionControls.cubic;
}

/**
 * One trial: all traffic starts at once, and the session plays for the scenario's time. Metrics have the
 * lab's names.
 */
export function runAqm({ scenario, seed }: AqmJob): AqmOutcome {
  const simulation = new Simulation(seed);
  const network = new SimNetwork(simulation, scenario.topology);
  const queues = new QueueLog(simulation, network, BOTTLENECKS);
  const { bufferTargetMs } = scenario.players[0] ?? {};
  const session = new SimSession(
    {
      scenario,
      media: mediaSizes(scenario.media, 2 * scenario.durationMs),
      player: { kind: 'controller', create: () => new RateBased() },
      seed,
      ...(bufferTargetMs === undefined ? {} : { bufferTargetMs }),
      createScheduler: schedulers.mainline,
      createCongestion: congestionOf(scenario),
    },
    { simulation, network, onEnd: () => simulation.stop() },
  );
  const background = startBackground(simulation, network, scenario.traffic, (node) =>
    controlOf(scenario, node),
  );
  session.begin();
  const patienceNs = (3 * scenario.durationMs + PATIENCE_MS) * 1e6;
  const endNs = (): number => Math.min(session.endAtNs, patienceNs);
  while (simulation.nowNs < endNs() && !session.isOver) {
    simulation.run(Math.min(endNs(), simulation.nowNs + 1e9));
  }
  const events = session.finish();
  const summary = summarize(events);
  const { samples } = queues;
  const fromMs = events[0]?.monotonicMs ?? 0;
  const toMs = fromMs + summary.sessionMs;
  const { topology } = scenario;
  const bottlenecks = topology.links.filter(({ id }) => BOTTLENECKS.includes(id));
  const values = [
    ...sessionMetrics(events, summary),
    ...networkMetrics({ topology: { ...topology, links: bottlenecks } }, samples, fromMs, toMs),
    ...trafficMetrics(background.results()),
  ];
  const shares = summary.paths.map(({ id, sharePercent }): [string, number] => [
    `pathShare.${id}`,
    sharePercent / 100,
  ]);
  return {
    metrics: {
      ...Object.fromEntries(values.map(({ metric, value }) => [metric.name, value])),
      ...Object.fromEntries(shares),
    },
    queues: queueSeconds({ samples, fromMs, toMs }),
    active: queues.activeDelays(),
  };
}
