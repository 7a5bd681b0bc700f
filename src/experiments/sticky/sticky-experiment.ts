import type { Experiment, ExperimentOptions } from '../types';
import { ablationJobs } from './ablations';
import { PAPER, reportSticky } from './report';
import { runSticky, type StickyJob, type StickyOutcome } from './run-sticky';
import { controlNames, FILM, QUICK_FILM_MS, scenarios, schedulerNames } from './set-up';

/** The paper does not state its number of runs. */
const TRIALS = 80;
const QUICK_TRIALS = 6;

/**
 * The schedulers of the paper `sticky-path-switching` under a video that is loaded as one file: discarded
 * pictures, underflows, path switches.
 */
export const stickyExperiment: Experiment<StickyJob, StickyOutcome> = {
  name: 'sticky',
  summary:
    'sticky schedulers and progressive video over three paths: discards, underflows, switches',
  paper: PAPER,
  lasts: { quick: 'about a minute on two cores', whole: 'about two hours on two cores' },
  plan: planSticky,
  run: runSticky,
  report: reportSticky,
};

/** Trial by trial, so that an interrupted experiment has whole trials; the ablations come last. */
function planSticky({ quick, seed, trials }: ExperimentOptions): StickyJob[] {
  const count = trials ?? (quick ? QUICK_TRIALS : TRIALS);
  const filmMs = quick ? QUICK_FILM_MS : FILM.lengthMs;
  const jobs = Array.from({ length: count }, (_, trial) => trialJobs(seed + trial, filmMs));
  const ablations = quick ? [] : jobs.flatMap(ablationJobs);
  return [...jobs.flat(), ...ablations];
}

function trialJobs(seed: number, filmMs: number): StickyJob[] {
  return scenarios.flatMap((scenario) =>
    controlNames.flatMap((control) =>
      schedulerNames.map((scheduler) => ({
        key: `${scenario.id} ${control} ${scheduler} ${seed}`,
        scenario,
        control,
        scheduler,
        seed,
        filmMs,
      })),
    ),
  );
}
