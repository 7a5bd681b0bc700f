import { AQM_TARGETS_MS } from './findings';
import { scenarioName } from './cells';
import { parseScenario, type Scenario } from '../../scenario';
import type { ExperimentOptions, ReadShipped } from '../types';
import { ablationJobs } from './ablations';
import { AQM_ABLATIONS, DISCIPLINES, type AqmJob } from './job';

/** Size of `--quick`: six scenarios by two trials by half a minute, in the lab about six minutes in all. */
const AQM_QUICK = { trials: 2, trialMs: 30_000 };

/**
 * One of the six scenarios, which the lab plays too.
 * @throws ScenarioError
 */
function readScenario(read: ReadShipped, name: string, quick: boolean): Scenario {
  const file = `aqm/${name}.yaml`;
  return parseScenario(read(file), file, {
    files: { resolve: (reference) => `aqm/${reference}`, read },
    ...(quick ? { durationMs: AQM_QUICK.trialMs } : {}),
  });
}

/** All six scenarios in each trial, with one seed. */
export function planTrials({ quick, seed, trials, read }: ExperimentOptions): AqmJob[] {
  const all = DISCIPLINES.flatMap((discipline) =>
    AQM_TARGETS_MS.map((targetMs) => {
      const name = scenarioName(discipline, targetMs);
      return { discipline, targetMs, name, scenario: readScenario(read, name, quick) };
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
