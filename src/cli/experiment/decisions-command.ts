import type { Experiment } from '../../experiments';
import { startDecisionRuns } from '../../runner/decisions';
import { carriedLanes } from '../../runner/run';
import { runInLab } from './backend-command';
import type { SimulatedOptions } from './simulated';

/** `experiment decisions`: sessions in the lab, and simulated beside them. */
export async function runDecisions(
  experiment: Experiment,
  options: SimulatedOptions,
  version: string,
): Promise<void> {
  const jobs = options.jobs ?? carriedLanes([]);
  await runInLab(experiment, { ...options, jobs }, version, (folder) =>
    startDecisionRuns({ folder, lanes: jobs }),
  );
}
