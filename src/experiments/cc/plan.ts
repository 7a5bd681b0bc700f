import { parseTrace } from '../../scenario';
import type { ExperimentOptions } from '../types';
import { ablationJobs } from './ablations';
import { controlKey, COUPLED, PATH_LEVEL, type CcJob, type Control } from './job';
import { LTE_SHAPES, ltePaths } from './lte-paths';

/** Length of a run. Section 2.2. */
export const DURATION_MS = 10_000;
/** Eight times the paper's trials; 120 left eight of fifty statements undecided; quick runs have wide intervals. */
const WHOLE_TRIALS = 240;
const QUICK_TRIALS = 4;

/** Every pair as in the paper's Fig. 1, every pair path by path, then every control alone. */
export const CONTROLS: readonly Control[] = [
  ...(['total', 'per-path'] as const).flatMap((scope) =>
    COUPLED.flatMap((coupled) =>
      PATH_LEVEL.map((path): Control => ({ kind: 'pair', coupled, path, scope })),
    ),
  ),
  ...[...COUPLED, ...PATH_LEVEL].map((name): Control => ({ kind: 'alone', name })),
];

/** Every control over the same networks: an interval of both traces per trial. */
export function planRuns({
  seed,
  trials,
  durationMs,
  read,
}: Pick<ExperimentOptions, 'seed' | 'read'> & { trials: number; durationMs: number }): CcJob[] {
  const steps = LTE_SHAPES.map(({ trace }) => parseTrace(read(trace), trace));
  return Array.from({ length: trials }, (_, index) => index + 1).flatMap((trial) => {
    const networkSeed = seed + trial - 1;
    const paths = ltePaths(steps, networkSeed, durationMs);
    return CONTROLS.map((control) => ({
      key: `${controlKey(control)} ${trial}`,
      control,
      paths,
      durationMs,
      trial,
      seed: networkSeed,
    }));
  });
}

/** The runs, and without `quick` the ablations behind them. */
export function planCc(options: ExperimentOptions): CcJob[] {
  const trials = options.trials ?? (options.quick ? QUICK_TRIALS : WHOLE_TRIALS);
  const jobs = planRuns({ ...options, trials, durationMs: DURATION_MS });
  return options.quick ? jobs : [...jobs, ...ablationJobs(jobs)];
}
