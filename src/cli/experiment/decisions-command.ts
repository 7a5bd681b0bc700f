import path from 'node:path';
import type { Experiment } from '../../experiments';
import { carriedLanes } from '../../runner/run';
import { startDecisionRuns } from '../../runner/decisions';
import { defaultRunDir } from '../../runner/host';
import { SESSIONS } from './backend-command';
import { runSimulated, type SimulatedOptions } from './simulated';

/** `experiment decisions`: sessions in the lab, and simulated beside them. */
export async function runDecisions(
  experiment: Experiment,
  options: SimulatedOptions,
  version: string,
): Promise<void> {
  const folder = options.resume ?? options.out ?? defaultRunDir(new Date());
  const jobs = options.jobs ?? carriedLanes([]);
  const workers = await startDecisionRuns({ folder: path.resolve(folder, SESSIONS), lanes: jobs });
  await runSimulated(
    experiment,
    { ...options, jobs, ...(options.resume === undefined ? { out: folder } : {}) },
    version,
    () => workers,
  );
}
