import type { GeneticKernelJob } from '../../experiments';
import { labRefusal } from '../../lab';
import { ownProgram } from '../host';
import { startWorkers, type SimulationRequest, type Workers } from '../jobs';
import { ApartRuns } from '../kernel-jobs';

/**
 * Runs of `experiment genetic --backend kernel`: those of the kernel in a sandbox each, the others simulated on a
 * thread.
 * @param program with the command `experiment genetic-run JOB`
 * @throws LabError where this machine has no lab
 */
export async function startGeneticRuns(program = ownProgram()): Promise<Workers> {
  const refusal = await labRefusal({ isEmulated: true });
  if (refusal !== undefined) throw refusal;
  const threads = startWorkers(1);
  const runs = new ApartRuns([...program, 'experiment', 'genetic-run']);
  return {
    run: (request) => {
      const { job } = request as { job: GeneticKernelJob };
      if (job.backend === 'kernel') return runs.run(job);
      const simulated: SimulationRequest = { experiment: 'genetic', job };
      return threads.run(simulated);
    },
    end: async () => {
      await Promise.all([threads.end(), runs.settle()]);
    },
  };
}
