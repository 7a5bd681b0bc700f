import { createHash } from 'node:crypto';
import path from 'node:path';
import {
  congestionNames,
  DEFAULT_PLAYERS,
  isCongestion,
  isScheduler,
  planSweep,
  readAxis,
  readPlayers,
  schedulerNames,
  simulationProblems,
  SweepError,
  sweepPoints,
  type Axis,
  type SweepPoint,
  type Shard,
  type SweepJob,
} from '../../experiments';
import { readQuantity } from '../../scenario';
import { UserError } from '../host/user-error';
import { readScenario, scenarioFiles } from '../scenarios/scenario-files';
import { overrides } from '../jobs/sweep-job';
import { findSweepFile, readSweepFile, type SweepFile } from './sweep-file';

/** Options of the command line. They override the sweep's file. */
export interface SweepWishes {
  set?: string[];
  players?: string[];
  schedulers?: string[];
  congestion?: string[];
  sample?: number;
  trials?: number;
  seed?: number;
  seconds?: number;
  quick?: boolean;
  shard?: Shard;
}

/** A sweep ready for planning: plain data, stored in the run's folder. */
export interface Sweep {
  title: string;
  quick: boolean;
  files: readonly string[];
  set: readonly { path: string; text: string }[];
  players: readonly string[];
  schedulers: readonly string[];
  congestion: readonly string[];
  sample?: number;
  trials: number;
  seed: number;
  durationMs?: number;
  shard?: Shard;
  /** Hash of the scenarios and the files they name. */
  content: string;
}

/** Default scenarios: the measurement that motivates the project. */
const DEFAULT_SCENARIO = 'decisions/two-unequal';
/** Fields of a scenario that a sweep decides itself. */
const OWN_OPTIONS = ['trials', 'seed', 'players'];
const QUICK_SECONDS = 20;
const QUICK_SAMPLE = 4;

function splitSet(text: string): { path: string; text: string } {
  const [, key = '', value = ''] = /^([^=]+)=([\s\S]+)$/.exec(text) ?? [];
  const [name = ''] = key.split('.');
  if (OWN_OPTIONS.includes(name)) {
    throw new UserError(`--set ${text}: a sweep has its own option --${name}`, 2);
  }
  if (key !== '') return { path: key, text: value };
  throw new UserError(
    `--set ${text}: expected KEY=VALUES, such as topology.paths.lte.rate=500kbit..4mbit/5`,
    2,
  );
}

function fileOf(targets: readonly string[]): SweepFile {
  const [first, ...more] = targets;
  const sweep = first === undefined ? undefined : findSweepFile(first);
  if (sweep !== undefined) {
    if (more.length > 0) throw new UserError(`${sweep} is a sweep: give it alone`, 2);
    return readSweepFile(sweep);
  }
  return { scenarios: targets.length > 0 ? targets : [DEFAULT_SCENARIO], set: [] };
}

const setsDuration = (key: string): boolean => key === 'duration';

/** Fields of a scenario with the server's congestion control. */
const setsCongestion = (key: string): boolean =>
  /^(server(\.congestionControl)?$|topology\.congestionControls?(\.|$))/.test(key);

/** One of two settings of the same thing would have no effect, although its values are in the table. */
function refuseTwice(
  set: Sweep['set'],
  sets: (key: string) => boolean,
  other: { written: string; isGiven: boolean },
): void {
  const found = set.find(({ path: key }) => sets(key));
  if (!other.isGiven || found === undefined) return;
  throw new UserError(
    `the sweep sets ${found.path} and has ${other.written} too: leave one of them out`,
    2,
  );
}

/** Reads a sweep from its file or scenarios and the command line. @throws UserError */
export function readSweep(targets: readonly string[], wishes: SweepWishes): Sweep {
  const file = fileOf(targets);
  const isQuick = wishes.quick === true;
  const wished = (wishes.set ?? []).map(splitSet);
  const set = [
    ...file.set.filter(({ path: key }) => !wished.some((one) => one.path === key)),
    ...wished,
  ];
  const sample = wishes.sample ?? file.sample;
  const congestion = wishes.congestion ?? file.congestion ?? [];
  const wishedSeconds = wishes.seconds ?? file.seconds;
  const written = wishes.seconds === undefined ? "seconds of the sweep's file" : '--seconds';
  refuseTwice(set, setsDuration, { written, isGiven: wishedSeconds !== undefined });
  refuseTwice(set, setsCongestion, {
    written: wishes.congestion === undefined ? "congestion of the sweep's file" : '--congestion',
    isGiven: congestion.length > 0,
  });
  const isSwept = set.some((one) => setsDuration(one.path));
  const quickSeconds = isQuick && !isSwept ? QUICK_SECONDS : undefined;
  const seconds = wishes.seconds ?? quickSeconds ?? file.seconds;
  const count = sample !== undefined && isQuick ? Math.min(sample, QUICK_SAMPLE) : sample;
  const seed = wishes.seed ?? file.seed ?? 1;
  const files = file.scenarios
    .flatMap((target) => scenarioFiles(target))
    .map((one) => path.resolve(one));
  return {
    title: file.title ?? 'Sweep',
    quick: isQuick,
    files,
    set,
    players: wishes.players ?? file.players ?? DEFAULT_PLAYERS,
    schedulers: wishes.schedulers ?? file.schedulers ?? ['mainline'],
    congestion,
    ...(count === undefined ? {} : { sample: count }),
    trials: wishes.trials ?? (isQuick ? 1 : (file.trials ?? 1)),
    seed,
    ...(seconds === undefined ? {} : { durationMs: seconds * 1000 }),
    ...(wishes.shard === undefined ? {} : { shard: wishes.shard }),
    content: contentOf({ files, set, ...(count === undefined ? {} : { sample: count }), seed }),
  };
}

/** Reads the traces of a sweep through each scenario, as its sessions read them. @throws UserError */
function contentOf(sweep: Pick<Sweep, 'files' | 'set' | 'sample' | 'seed'>): string {
  const hash = createHash('sha256');
  const add = (file: string, set: SweepPoint['set']): void => {
    hash.update(JSON.stringify(readScenario(file, { set: overrides(set), isSimulated: true })));
  };
  for (const file of sweep.files) add(file, []);
  const { axes, points } = planned(sweep);
  for (const file of sweep.files) {
    for (const set of listed(axes, points[0], isName)) add(file, set);
  }
  return hash.digest('hex').slice(0, 32);
}

/** A value that is not a number may name a file. */
const isName = (value: string): boolean => readQuantity(value) === undefined;

/** A point for each listed value. The other parameters have their first value. */
function listed(
  axes: readonly Axis[],
  first: SweepPoint | undefined,
  isWanted: (value: string) => boolean = () => true,
): SweepPoint['set'][] {
  const set = first?.set ?? [];
  return axes.flatMap((axis) =>
    'values' in axis
      ? axis.values
          .filter(isWanted)
          .map((value) => set.map((one) => (one.path === axis.path ? { ...one, value } : one)))
      : [],
  );
}

/** @throws UserError for a parameter that cannot be swept */
function planned({ set, sample, seed }: Pick<Sweep, 'set' | 'sample' | 'seed'>): {
  axes: Axis[];
  points: SweepPoint[];
} {
  return asUserError(() => {
    const axes = axesOf({ set });
    return { axes, points: sweepPoints(axes, sample, seed) };
  });
}

function asUserError<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof SweepError) throw new UserError(`sweep: ${error.message}`, 2);
    throw error;
  }
}

/** @throws UserError if the scenarios have changed since the sweep began */
export function checkContent(sweep: Sweep): void {
  if (contentOf(sweep) === sweep.content) return;
  throw new UserError(
    `a scenario of this sweep, or a file it names, has changed since it was begun (${sweep.files.join(', ')}): begin a new one without --resume`,
  );
}

/** @throws SweepError */
export const axesOf = ({ set }: Pick<Sweep, 'set'>): Axis[] =>
  set.map((one) => readAxis(one.path, one.text));

const unknownName = (what: string, name: string, names: readonly string[]): SweepError =>
  new SweepError(`there is no ${what} ${name}; one of: ${names.join(', ')}`);

/**
 * All sessions of a sweep. It reads the first and the last point, and every listed value once, so that most
 * errors appear before any simulation.
 * @throws UserError, ScenarioError
 */
export function planJobs(sweep: Sweep): SweepJob[] {
  const { axes, points } = planned(sweep);
  return asUserError(() => {
    for (const name of sweep.schedulers)
      if (!isScheduler(name)) throw unknownName('scheduler', name, schedulerNames);
    for (const name of sweep.congestion)
      if (!isCongestion(name)) throw unknownName('congestion control', name, congestionNames);
    const [first] = points;
    const last = points.at(-1);
    const scenarios = sweep.files.map((file) => {
      const sets = [first?.set ?? [], last?.set ?? [], ...listed(axes, first)];
      const all = sets.map((set) => checked(file, set, sweep));
      return { file, players: readPlayers(sweep.players, all[0] ?? []) };
    });
    const { schedulers, congestion, trials, seed, durationMs, shard } = sweep;
    return planSweep({
      scenarios,
      points,
      schedulers,
      congestion,
      trials,
      seed,
      durationMs,
      shard,
    });
  });
}

/**
 * Checks a scenario of a sweep with values of its parameters. @returns its paths
 * @throws SweepError for what the simulator does not have
 */
function checked(
  file: string,
  set: SweepPoint['set'],
  sweep: Pick<Sweep, 'players' | 'congestion'>,
): string[] {
  const scenario = readScenario(file, { set: overrides(set), isSimulated: true });
  const problems = simulationProblems(scenario, { hasOwnCongestion: sweep.congestion.length > 0 });
  if (problems.length > 0)
    throw new SweepError(problems.map((one) => `${file}: ${one}`).join('\n'));
  const ids = scenario.topology.paths.map(({ id }) => id);
  const players = readPlayers(sweep.players, ids);
  const multipath = players.find(({ carriage: { kind } }) => kind === 'mptcp' || kind === 'policy');
  if (!scenario.server.mptcp && multipath !== undefined) {
    throw new SweepError(
      `${file}: server.mptcp is false, and the simulator has no fallback to TCP: leave out player ${multipath.id}`,
    );
  }
  return ids;
}
