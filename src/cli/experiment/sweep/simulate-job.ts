import { sessionMetrics, type SessionMetrics, type SweepJob } from '../../../experiments';
import { readScenario } from '../../lab/list-scenarios';

/** A point as after `--set`. */
export const overrides = (set: SweepJob['set']): string[] =>
  set.map((one) => `${one.path}=${one.value}`);

/** One session of a sweep, as a worker simulates it. @throws ScenarioError, CliError, SweepError */
export function simulateSweepJob(job: SweepJob): SessionMetrics {
  const { file, set, durationMs } = job;
  const duration = durationMs === undefined ? {} : { durationMs };
  return sessionMetrics(readScenario(file, { set: overrides(set), ...duration }), job);
}
