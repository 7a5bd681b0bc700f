import { readShippedScenario, turnsOf } from '../shipped-scenario';
import type { Experiment, ExperimentOptions } from '../types';
import { kernelAblationJobs } from './kernel-ablations';
import { KERNEL_SESSION_MS, reportStickyKernel } from './kernel-report';
import type { StickyKernelJob, StickyKernelOutcome } from './kernel-job';
import { PAPER } from './report';
import type { StickyScenario } from './set-up';

const FOLDER = 'sticky';
/** Scenario files by the simulated experiment's names. */
const FILES = { base: 'baseline', '3p-50': '3p-50', '3p-150': '3p-150' } as const;
const PLACES = Object.keys(FILES) as StickyScenario['id'][];

/** Chosen: 15 trials take four hours and leave 2 of 25 statements undecided, ten leave 4. The changes take an hour more. */
const TRIALS = { quick: 1, whole: 15 };

/**
 * A trial of everything before the next trial, so that a run that ends early has every player.
 * @throws ScenarioError
 */
function planTrials({ quick, seed, trials, read }: ExperimentOptions): StickyKernelJob[] {
  const durationMs = quick ? KERNEL_SESSION_MS.quick : KERNEL_SESSION_MS.whole;
  const places = PLACES.map((place) => ({
    place,
    scenario: readShippedScenario(read, FOLDER, FILES[place], { durationMs }),
  }));
  const count = trials ?? (quick ? TRIALS.quick : TRIALS.whole);
  return Array.from({ length: count }, (_, index) => index + 1).flatMap((trial) =>
    places.flatMap(({ place, scenario }) =>
      turnsOf(scenario.players, trial).map(({ id: player }) => ({
        key: [place, player, trial].join('/'),
        ...{ place, scenario, player, trial },
        seed: seed + trial - 1,
      })),
    ),
  );
}

/** The trials; without `quick` also the changes, which come last. */
function plan(options: ExperimentOptions): StickyKernelJob[] {
  const jobs = planTrials(options);
  return options.quick ? jobs : [...jobs, ...kernelAblationJobs(jobs)];
}

/** `experiment sticky --backend kernel`: real player, server and kernel. */
export const stickyKernelExperiment: Experiment<StickyKernelJob, StickyKernelOutcome> = {
  name: 'sticky-kernel',
  summary: 'sticky rules over MPTCP and over byte ranges under a real DASH player, in the lab',
  paper: PAPER,
  lasts: { quick: 'about ten minutes', whole: 'about six hours' },
  plan,
  run: () => {
    throw new Error('the lab plays these sessions');
  },
  report: reportStickyKernel,
};
