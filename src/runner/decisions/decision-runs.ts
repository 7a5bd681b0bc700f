import type { DecisionsJob } from '../../experiments';
import { labRefusal } from '../../lab';
import { startWorkers, type SimulationRequest, type Workers } from '../jobs';
import { LabSessions } from '../run';

export interface DecisionRunsOptions {
  /** Folder of the sessions' logs. */
  folder: string;
  /** Simulating threads. */
  lanes: number;
}

/**
 * Plays sessions of the kernel in the lab, each in a sandbox of its own, and simulates the others on threads. The log of
 * each session is kept in the folder.
 * @throws LabError where this machine has no lab
 */
export async function startDecisionRuns({ folder, lanes }: DecisionRunsOptions): Promise<Workers> {
  const refusal = await labRefusal({ isEmulated: true });
  if (refusal !== undefined) throw refusal;
  const threads = startWorkers(lanes);
  const sessions = new LabSessions(folder);
  return {
    run: async (request) => {
      const { job } = request as { job: DecisionsJob } & SimulationRequest;
      if (job.backend !== 'kernel') return threads.run(request);
      return (await sessions.play(job)).metrics;
    },
    end: async () => {
      await Promise.all([sessions.end(), threads.end()]);
    },
  };
}
