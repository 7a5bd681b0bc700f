import { trialNumbers } from '../../report';
import { mediaSizes, serverOf, type Scenario } from '../../scenario';
import {
  congestionControls,
  schedulers,
  simulateSession,
  type CongestionName,
  type SchedulerName,
} from '../../sim';
import { SweepError } from './axis';
import { simPlayer, type SweepPlayer } from './sweep-player';

/** What of a session is not in its scenario. */
export interface SessionChoice {
  player: SweepPlayer;
  scheduler: string;
  /** Of both ends; absent: what the scenario gives the server. */
  congestion?: string | undefined;
  seed: number;
}

/** Numbers of one session by their names in docs/results.md; null where a session does not tell. */
export type SessionMetrics = Record<string, number | null>;

/** What every player aims at, and what the optimum is granted: dash.js's bufferTimeDefault. */
const BUFFER_MS = 18_000;

export const isScheduler = (name: string): name is SchedulerName => name in schedulers;
export const isCongestion = (name: string): name is CongestionName => name in congestionControls;

/** The congestion control a scenario gives its server. */
function serverControl({ topology }: Scenario): string {
  const server = serverOf(topology);
  return topology.nodes.find(({ id }) => id === server)?.congestionControl ?? 'cubic';
}

/**
 * Simulates one session and measures it as a trial of the lab is measured.
 * @throws SweepError for a scheduler or congestion control that is not simulated
 * @throws RangeError for media whose sizes are not known
 */
export function sessionMetrics(scenario: Scenario, choice: SessionChoice): SessionMetrics {
  const { player, scheduler, seed } = choice;
  const congestion = choice.congestion ?? serverControl(scenario);
  if (!isScheduler(scheduler)) throw new SweepError(`scheduler ${scheduler} is not simulated`);
  if (!isCongestion(congestion)) {
    throw new SweepError(`congestion control ${congestion} is not simulated`);
  }
  // The film outlasts the session: what ends it is the scenario's duration.
  const media = mediaSizes(scenario.media, scenario.durationMs + 2 * BUFFER_MS);
  const events = simulateSession({
    scenario,
    media,
    ...simPlayer(player, scenario.metered),
    seed,
    bufferTargetMs: BUFFER_MS,
    createScheduler: schedulers[scheduler],
    createCongestion: congestionControls[congestion],
  });
  const { values } = trialNumbers(
    { ...scenario, players: [{ ...labPlayer(player), bufferTargetMs: BUFFER_MS }] },
    {
      record: {
        schemaVersion: 1,
        scenario: scenario.name,
        player: player.id,
        trial: 1,
        seed,
        startedAt: '',
        // The links' clock and the session's are one.
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
  return Object.fromEntries(
    values
      .filter(({ metric }) => metric.source !== 'network.jsonl')
      .map(({ metric, value }) => [metric.name, value]),
  );
}

/** Only its name counts where a session is measured. */
const labPlayer = ({ id, carriage }: SweepPlayer) =>
  ({ id, app: 'browser', abr: 'multipath', carriage, correction: false }) as const;
