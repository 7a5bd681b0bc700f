import type { Experiment, ExperimentOptions } from '../types';
import type { ValidationJob, ValidationOutcome } from './job';
import { drawPairs, PAIR_KINDS, type PairSet } from './pairs';
import { reportValidation } from './report';
import { runValidation } from './run';

/** Pairs of networks of each kind. Chosen; no measurement. */
const PAIRS = 100;
const QUICK_PAIRS = 12;
/** Lengths of a session. Chosen; no measurement. */
const SECONDS = [60, 300];
const QUICK_SECONDS = [60];
/** Other networks and films are played at this length alone. */
const OTHER_SECONDS = 60;

function plan(set: PairSet, { quick, seed, trials, read }: ExperimentOptions): ValidationJob[] {
  const count = trials ?? (quick ? QUICK_PAIRS : PAIRS);
  return (quick ? QUICK_SECONDS : SECONDS).flatMap((seconds) =>
    PAIR_KINDS.filter((kind) => kind !== 'other' || seconds === OTHER_SECONDS).flatMap((kind) =>
      drawPairs({ set, kind, count, seed, seconds, read }).map((pair) => ({
        key: [kind, seconds, pair.number].join('/'),
        set,
        pair,
        durationMs: seconds * 1000,
        filmEnds: pair.number % 2 === 1,
      })),
    ),
  );
}

const experimentOf = (
  set: PairSet,
  summary: string,
): Experiment<ValidationJob, ValidationOutcome> => ({
  name: set,
  summary,
  paper: '',
  trials: 'pairs of each of four kinds (default: 100; 12 with --quick)',
  lasts: { quick: 'about 3 minutes on one core', whole: 'about 3 hours on one core' },
  plan: (options) => plan(set, options),
  run: runValidation,
  report: (results, options) => reportValidation(set, results, options),
});

/** Pairs to design a player on. */
export const trainingExperiment = experimentOf(
  'training',
  'our player, RobustMPC and SODA over pairs of networks to design on',
);

/** Pairs that nobody looks at while designing. */
export const validationExperiment = experimentOf(
  'validation',
  'our player, RobustMPC and SODA over pairs of networks that no player was designed on',
);
