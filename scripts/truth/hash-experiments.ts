import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  type Experiment,
  type ExperimentJob,
  experiments,
  planSweep,
  readAxis,
  readPlayers,
  sessionMetrics,
  sweepPoints,
} from '../../src/experiments';
import { parseScenario } from '../../src/scenario';

const scenarios = path.resolve(import.meta.dirname, '../../scenarios');
/** Long enough for losses, switches and full queues. */
const SHORT_MS = 20_000;

const read = (file: string): string => readFileSync(path.join(scenarios, file), 'utf8');

function hashOf(outcome: unknown): string {
  return createHash('sha256').update(JSON.stringify(outcome)).digest('hex');
}

/** Shortens a job that plays or loads for some time. */
function shortened(job: ExperimentJob): ExperimentJob {
  const most: Readonly<Record<string, number>> = { durationMs: SHORT_MS, filmMs: SHORT_MS };
  const fields = Object.entries(job).map(([key, value]: [string, unknown]) => {
    return [key, typeof value === 'number' ? Math.min(value, most[key] ?? value) : value];
  });
  return { ...job, ...Object.fromEntries(fields) } as ExperimentJob;
}

/** Sessions on the kernel have no fixed outcome. */
const isSimulated = (job: ExperimentJob): boolean =>
  !('backend' in job) || job.backend !== 'kernel';

/** The first simulated job of the quick plan: the plan and its outcome. */
function hashExperiment(experiment: Experiment): string {
  const job = experiment.plan({ quick: true, seed: 1, trials: 1, read }).find(isSimulated);
  if (job === undefined) throw new Error(`experiment ${experiment.name} plans no job`);
  return hashOf([job, experiment.run(shortened(job))]);
}

/** A point in the middle of a sweep over a scenario of two paths. */
function hashSweep(player: string): string {
  const name = 'decisions/two-unequal.yaml';
  const job = planSweep({
    scenarios: [{ file: name, players: readPlayers([player], ['wifi', 'lte']) }],
    points: sweepPoints(
      [readAxis('topology.paths.lte.rate', '500kbit..4mbit/4 log')],
      undefined,
      1,
    ),
    schedulers: ['mainline'],
    congestion: [],
    trials: 1,
    seed: 1,
    durationMs: SHORT_MS,
  }).at(-2);
  if (job === undefined) throw new Error('the sweep plans no session');
  const scenario = parseScenario(read(name), name, {
    files: { resolve: (reference) => reference, read },
    durationMs: SHORT_MS,
    set: job.set.map((one) => `${one.path}=${one.value}`),
  });
  return hashOf([job, sessionMetrics(scenario, job)]);
}

/** A short job of each experiment, and a session of a sweep. */
export function experimentHashes(): { name: string; hash: string }[] {
  return [
    ...experiments.map((one) => ({ name: `experiment ${one.name}`, hash: hashExperiment(one) })),
    ...['ours', 'multipath@ranges'].map((player) => ({
      name: `experiment sweep, ${player}`,
      hash: hashSweep(player),
    })),
  ];
}
