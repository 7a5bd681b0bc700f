import { AQM_TARGETS_MS } from './findings';
import { scenarioName } from './cells';
import { readShippedScenario } from '../shipped-scenario';
import type { ExperimentOptions } from '../types';
import { ablationJobs } from './ablations';
import { AQM_ABLATIONS, DISCIPLINES, type AqmJob } from './job';

/** Size of `--quick`: six scenarios by two trials by half a minute, in the lab about six minutes in all. */
const AQM_QUICK = { trials: 2, trialMs: 30_000 };

/**
 * All six scenarios in each trial, with one seed. The lab plays the same.
 * @throws ScenarioError
 */
export function planTrials({ quick, seed, trials, read }: ExperimentOptions): AqmJob[] {
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

/** The trials; without `quick` also the ablations, which come last. */
export function planAqm(options: ExperimentOptions): AqmJob[] {
  const jobs = planTrials(options);
  return options.quick ? jobs : [...jobs, ...ablationJobs(jobs, AQM_ABLATIONS)];
}
