import { experiments, type Experiment } from '../../../experiments';

/** What a worker is sent. */
export interface SimulationRequest {
  experiment: string;
  job: { key: string };
}

/** The experiment of a name. @throws Error when there is none: the worker is older than the command */
export function findExperiment(name: string): Experiment {
  const found = experiments.find((one) => one.name === name);
  if (found === undefined) throw new Error(`there is no experiment ${name}: run \`npm run build\``);
  return found;
}

/** Runs one job. @throws Error what the experiment throws */
export const simulate = ({ experiment, job }: SimulationRequest): unknown =>
  findExperiment(experiment).run(job);
