import { sessionMetrics, type SessionMetrics, type SweepJob } from '../../experiments';
import { readScenario } from '../scenarios/scenario-files';

/** A point as after `--set`. */
export const overrides = (set: SweepJob['set']): string[] =>
  set.map((one) => `${one.path}=${one.value}`);

/** One session of a sweep, for a worker. @throws ScenarioError, UserError, SweepError */
export function simulateSweepJob(job: SweepJob): SessionMetrics {
  const { file, set, durationMs } = job;
  const duration = durationMs === undefined ? {} : { durationMs };
  return sessionMetrics(
    readScenario(file, { set: overrides(set), isSimulated: true, ...duration }),
    job,
  );
}
