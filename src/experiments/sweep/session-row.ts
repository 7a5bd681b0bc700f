import { dashDefaults } from '../../core';
import { trialNumbers } from '../../report';
import { mediaSizes, serverOf, type Scenario } from '../../scenario';
import {
  congestionControls,
  congestionNamed,
  defaultPathUse,
  PathUseDecision,
  schedulers,
  simulateSession,
  type MptcpOptions,
  type SchedulerName,
} from '../../sim';
import { SweepError } from './axis';
import { startPricedQoe } from './start-priced';
import { simPlayer, type SweepPlayer } from './sweep-player';

/** Fields of a session that its scenario does not contain. */
export interface SessionChoice {
  player: SweepPlayer;
  scheduler: string;
  /** Congestion control of both ends; absent: the server's in the scenario. */
  congestion?: string | undefined;
  seed: number;
  /** As in `SimSessionOptions`. */
  pageLoadMs?: number | undefined;
}

/** Numbers of one session by their names in docs/results.md; null if the session has none. */
export type SessionMetrics = Record<string, number | null>;

/** Every player's buffer target, also granted to the optimum. */
const BUFFER_MS = dashDefaults.bufferMs;

/** Names of what is simulated, for messages. */
export const schedulerNames: readonly string[] = Object.keys(schedulers);
export const congestionNames: readonly string[] = Object.keys(congestionControls);

export const isScheduler = (name: string): name is SchedulerName => schedulerNames.includes(name);
export const isCongestion = (name: string): boolean => congestionNamed(name) !== undefined;

/** The congestion control of a scenario's server. */
function serverControl({ topology }: Scenario): string {
  const server = serverOf(topology);
  return topology.nodes.find(({ id }) => id === server)?.congestionControl ?? 'cubic';
}

/** The scheduler of each end. The server's path use decision (MPTCP+) chooses among its subflows. */
function scheduling(
  { server: { pathUse } }: Scenario,
  name: SchedulerName,
): MptcpOptions['createScheduler'] {
  const create = schedulers[name];
  if (pathUse === undefined) return create;
  const { samples, rho, periodMs } = pathUse;
  const options = { ...defaultPathUse, samples, rho, periodNs: periodMs * 1e6 };
  return (_, end) => (end === 'server' ? new PathUseDecision(create(), options) : create());
}

/**
 * Simulates one session and measures it like a trial of the lab.
 * @throws SweepError for a scheduler or congestion control without simulation
 * @throws RangeError for media of unknown sizes
 */
export function sessionMetrics(scenario: Scenario, choice: SessionChoice): SessionMetrics {
  const { player, scheduler, seed, pageLoadMs } = choice;
  const congestion = choice.congestion ?? serverControl(scenario);
  if (!isScheduler(scheduler)) throw new SweepError(`scheduler ${scheduler} is not simulated`);
  const createCongestion = congestionNamed(congestion);
  if (createCongestion === undefined) {
    throw new SweepError(`congestion control ${congestion} is not simulated`);
  }
  // The film outlasts the session: the scenario's duration ends it.
  const media = mediaSizes(scenario.media, scenario.durationMs + 2 * BUFFER_MS);
  const events = simulateSession({
    scenario,
    media,
    ...simPlayer(player, scenario.metered),
    seed,
    pageLoadMs,
    bufferTargetMs: BUFFER_MS,
    createScheduler: scheduling(scenario, scheduler),
    createCongestion,
  });
  const { values, summary } = trialNumbers(
    { ...scenario, players: [{ ...labPlayer(player), bufferTargetMs: BUFFER_MS }] },
    {
      record: {
        schemaVersion: 1,
        scenario: scenario.name,
        player: player.id,
        trial: 1,
        seed,
        startedAt: '',
        // The links' clock and the session's are identical.
        startMonotonicMs: 0,
        outcome: 'ok',
        sessionFile: 'session.jsonl',
        networkFile: 'network.jsonl',
        media,
        traffic: [],
      },
      events,
      network: [],
    },
  );
  return {
    ...Object.fromEntries(
      values
        .filter(({ metric }) => metric.source !== 'network.jsonl')
        .map(({ metric, value }) => [metric.name, value]),
    ),
    startPricedQoePerSegment: startPricedQoe(summary, media, scenario.durationMs),
  };
}

/** Only its name matters for the metrics. */
const labPlayer = ({ id, carriage }: SweepPlayer) =>
  ({ id, app: 'browser', abr: 'multipath', carriage, correction: false }) as const;
