import { AQM_TARGETS_MS } from './findings';
import { scenarioName } from './cells';
import { readShippedScenario } from '../shipped-scenario';
import type { ExperimentOptions } from '../types';
import { ablationJobs } from './ablations';
import { AQM_ABLATIONS, DISCIPLINES, type AqmAblation, type AqmJob } from './job';

/** Size of `--quick`: six scenarios by two trials by half a minute, in the lab about six minutes in all. */
const AQM_QUICK = { trials: 2, trialMs: 30_000 };

/**
 * All six scenarios in each trial, with one seed. The lab plays the same.
 * @throws ScenarioError
 */
function planTrials({ quick, seed, trials, read }: ExperimentOptions): AqmJob[] {
  const all = DISCIPLINES.flatMap((discipline) =>
    AQM_TARGETS_MS.map((targetMs) => {
      const name = scenarioName(discipline, targetMs);
      const changes = quick ? { durationMs: AQM_QUICK.trialMs } : {};
      return {
        ...{ discipline, targetMs, name },
        scenario: readShippedScenario(read, 'aqm', name, changes),
      };
    }),
  );
  const count =
    trials ?? (quick ? AQM_QUICK.trials : (all[0]?.scenario.trials ?? AQM_QUICK.trials));
  return Array.from({ length: count }, (_, index) => index + 1).flatMap((trial): AqmJob[] =>
    all.map(({ discipline, targetMs, name, scenario }) => ({
      key: `${name} ${trial}`,
      discipline,
      targetMs,
      scenario,
      trial,
      seed: seed + trial - 1,
    })),
  );
}

/** Trials of an ablation: the first ones of the experiment. */
const ABLATION_TRIALS = { simulated: 8, kernel: 3 };
/** A trial lasts ten minutes in the lab, which repeats it with all changes of the load at once. */
const KERNEL_ABLATIONS = ['earlier-load'] as const satisfies AqmAblation[];

function planWith(
  options: ExperimentOptions,
  ablations: readonly AqmAblation[],
  trials: number,
): AqmJob[] {
  const jobs = planTrials(options);
  return options.quick ? jobs : [...jobs, ...ablationJobs(jobs, ablations, trials)];
}

/** The trials; without `quick` also the ablations, which come last. */
export const planAqm = (options: ExperimentOptions): AqmJob[] =>
  planWith(options, AQM_ABLATIONS, ABLATION_TRIALS.simulated);

/** The same for the lab. */
export const planAqmKernel = (options: ExperimentOptions): AqmJob[] =>
  planWith(options, KERNEL_ABLATIONS, ABLATION_TRIALS.kernel);
