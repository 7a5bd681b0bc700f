import { experiments, type Experiment, type SweepJob } from '../../experiments';
import { simulateSweepJob } from './sweep-job';

/** The message to a worker. */
export interface SimulationRequest {
  experiment: string;
  job: { key: string };
}

/** Returns the experiment of a name. @throws Error if there is none: the worker is older than the command */
function findExperiment(name: string): Experiment {
  const found = experiments.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no experiment ${name}: run \`npm run build\``);
  return found;
}

/** Runs one job. @throws Error of the experiment */
export const simulate = ({ experiment, job }: SimulationRequest): unknown =>
  experiment === 'sweep' ? simulateSweepJob(job as SweepJob) : findExperiment(experiment).run(job);
