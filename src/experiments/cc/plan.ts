import { parseTrace } from '../../scenario';
import type { ExperimentOptions } from '../types';
import { controlKey, COUPLED, PATH_LEVEL, type CcJob, type Control } from './job';
import { LTE_SHAPES, ltePaths } from './lte-paths';

/** Section 2.2. */
const DURATION_MS = 10_000;
const WHOLE_TRIALS = 30;
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

/** Ten seconds with every control over the same networks: an interval of both traces per trial. */
export function planCc({ quick, seed, trials, read }: ExperimentOptions): CcJob[] {
  const count = trials ?? (quick ? QUICK_TRIALS : WHOLE_TRIALS);
  const steps = LTE_SHAPES.map(({ trace }) => parseTrace(read(trace), trace));
  return Array.from({ length: count }, (_, index) => index + 1).flatMap((trial) => {
    const networkSeed = seed + trial - 1;
    const paths = ltePaths(steps, networkSeed, DURATION_MS);
    return CONTROLS.map((control) => ({
      key: `${controlKey(control)} ${String(trial)}`,
      control,
      paths,
      durationMs: DURATION_MS,
      trial,
      seed: networkSeed,
    }));
  });
}
