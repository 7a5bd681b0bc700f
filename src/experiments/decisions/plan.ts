import { readShippedScenario, turnsOf } from '../shipped-scenario';
import { isSimulated } from '../sweep/sweep-player';
import type { ExperimentOptions } from '../types';
import type { DecisionsJob } from './job';

const FOLDER = 'decisions';

/** The scenarios of the decision that are no live streams: the simulator plays files only. */
const SCENARIOS = [
  ...['two-similar', 'two-unequal', 'two-opposite', 'path-dies', 'path-flaps', 'path-vanishes'],
  ...['shared-bottleneck', 'one-path', 'three-paths', 'three-paths-lossy', 'metered'],
  ...['trace-1', 'trace-2', 'trace-3', 'trace-4', 'trace-5', 'trace-6'],
];
const QUICK_SCENARIOS = ['two-unequal', 'path-dies'];

/** Our player over byte ranges and over MPTCP. */
const OURS = ['multipath@ranges', 'multipath@model'];
/**
 * The references over plain MPTCP, and over each path alone: RobustMPC, and two of dash.js's rules, its default and BOLA.
 * SODA over plain MPTCP is the newest controller with guarantees.
 */
const REFERENCES = [
  ...['robust-mpc@mptcp', 'robust-mpc@each-path', 'soda@mptcp'],
  ...['bola@mptcp', 'bola@each-path', 'dynamic@mptcp', 'dynamic@each-path'],
];
/** In the first trial RobustMPC was the best reference of every scenario. So further trials of it and of ours come first. */
const isContender = (player: string): boolean =>
  OURS.includes(player) || player.startsWith('robust-mpc@');

/** Trials of each player and scenario, and their size with `--quick`. Chosen; no measurement. */
const TRIALS = 5;
const QUICK_TRIALS = 1;
const QUICK_MS = 30_000;

/**
 * In the kernel a page asked for the manifest 351 to 943 ms after its load began, from where events count (24 sessions, two at a
 * time). Without losses the seed changes nothing in the simulator. So its trials differ by this time, evenly over that range.
 */
const pageLoadMs = (trial: number): number => 350 + 150 * ((trial - 1) % TRIALS);

/**
 * A trial of everything first, so that a run that ends early has every player in every scenario. Then the further trials of
 * ours and of RobustMPC, then those of the others.
 * @throws ScenarioError
 */
export function planDecisions({ quick, seed, trials, read }: ExperimentOptions): DecisionsJob[] {
  const names = quick ? QUICK_SCENARIOS : SCENARIOS;
  const scenarios = names.map((name) =>
    readShippedScenario(read, FOLDER, name, {
      players: [...OURS, ...REFERENCES],
      ...(quick ? { durationMs: QUICK_MS } : {}),
    }),
  );
  const count = trials ?? (quick ? QUICK_TRIALS : TRIALS);
  const jobs = Array.from({ length: count }, (_, index) => index + 1).flatMap((trial) =>
    scenarios.flatMap((scenario) => {
      const turns = turnsOf(scenario.players, trial).map(({ id }) => id);
      const job = (backend: DecisionsJob['backend'], player: string): DecisionsJob => ({
        key: [backend, scenario.name, player, trial].join('/'),
        ...{ backend, scenario, player, trial },
        seed: seed + trial - 1,
        ...(backend === 'simulated' ? { pageLoadMs: pageLoadMs(trial) } : {}),
      });
      return [
        ...turns.map((player) => job('kernel', player)),
        ...turns.filter(isSimulated).map((player) => job('simulated', player)),
      ];
    }),
  );
  const isEarly = ({ trial, player }: DecisionsJob): boolean => trial === 1 || isContender(player);
  return [...jobs.filter(isEarly), ...jobs.filter((job) => !isEarly(job))];
}
