import { explainedBy } from '../explain';
import type { ExperimentClaim } from '../types';
import { ABLATIONS, type Ablation } from './ablation-names';
import type { CcJob, LtePath } from './job';
import { CcValues, type CcResult } from './values';

const LABELS: Readonly<Record<Ablation, string>> = {
  'deep-queues': 'queues of 240 kB in place of 60 kB',
  'no-loss': 'no losses in the air',
  'mainline-scheduler': 'mainline’s scheduler in place of the lowest round trip first',
};
/** Trials of an ablation: the first ones of the experiment. */
export const ABLATION_TRIALS = 40;
/** Four times the queue of the set-up: 160 ms at the mean rate, as LTE base stations have them. */
const DEEP_QUEUE_BYTES = 240_000;

function changedPaths(ablation: Ablation, paths: readonly LtePath[]): readonly LtePath[] {
  if (ablation === 'mainline-scheduler') return paths;
  const change = ablation === 'no-loss' ? { lossRatio: 0 } : { queueBytes: DEEP_QUEUE_BYTES };
  return paths.map(({ down, up }) => ({ down: { ...down, ...change }, up }));
}

/** The pairs of the first trials once more, with one property changed. */
export function ablationJobs(jobs: readonly CcJob[]): CcJob[] {
  const pairs = jobs.filter(
    ({ control, trial }) => control.kind === 'pair' && trial <= ABLATION_TRIALS,
  );
  return ABLATIONS.flatMap((ablation) =>
    pairs.map((job) => ({
      ...job,
      key: `${ablation} ${job.key}`,
      ablation,
      paths: changedPaths(ablation, job.paths),
    })),
  );
}

/**
 * Gives each control other networks than the others have, as in the paper, whose controls ran one after the
 * other.
 */
function unpaired(results: readonly CcResult[]): CcResult[] {
  const trials = [...new Set(results.map(({ job }) => job.trial))].sort((a, b) => a - b);
  const controls = new Map<string, number>();
  return results.map(({ job, outcome }) => {
    const name = JSON.stringify(job.control);
    const place = controls.get(name) ?? controls.size;
    controls.set(name, place);
    const trial = trials[(trials.indexOf(job.trial) + place) % trials.length] ?? job.trial;
    return { job: { ...job, trial }, outcome };
  });
}

/** Adds to each claim that differs the ablations under which it agrees: see {@link explainedBy}. */
export function explained(
  claims: readonly ExperimentClaim[],
  results: readonly CcResult[],
  claimsOf: (values: CcValues) => ExperimentClaim[],
): ExperimentClaim[] {
  const base = results.filter(({ job }) => job.ablation === undefined);
  const ablated = ABLATIONS.flatMap((ablation) => {
    const own = results.filter(({ job }) => job.ablation === ablation);
    if (own.length === 0) return [];
    const trials = new Set(own.map(({ job }) => job.trial));
    const same = base.filter(({ job }) => trials.has(job.trial));
    const beside = claimsOf(new CcValues(same));
    return [{ label: LABELS[ablation], claims: claimsOf(new CcValues(own)), beside }];
  });
  return explainedBy(claims, [
    ...ablated,
    {
      label: 'each control on networks of its own, as in the paper',
      claims: claimsOf(new CcValues(unpaired(base))),
      beside: claims,
    },
  ]);
}
