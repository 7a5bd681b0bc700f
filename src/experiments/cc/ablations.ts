import type { ExperimentClaim } from '../types';
import { ABLATIONS, type Ablation } from './ablation-names';
import type { CcJob, LtePath } from './job';
import { CcValues, type CcResult } from './values';

const LABELS: Readonly<Record<Ablation, string>> = {
  'deep-queues': 'deep queues',
  'no-loss': 'no losses',
  'mainline-scheduler': 'mainline’s scheduler',
  'deep-queues-no-loss': 'deep queues and no losses',
};
/** Four times the queue of the set-up: 160 ms at the mean rate, as LTE base stations have them. */
const DEEP_QUEUE_BYTES = 240_000;

const DEEP = { queueBytes: DEEP_QUEUE_BYTES };
const LOSSLESS = { lossRatio: 0 };

/** Changes of each path on the way to the client. */
const CHANGES: Readonly<Record<Ablation, Partial<LtePath['down']>>> = {
  'deep-queues': DEEP,
  'no-loss': LOSSLESS,
  'mainline-scheduler': {},
  // Base stations have both: they queue much and repeat what the radio loses.
  'deep-queues-no-loss': { ...DEEP, ...LOSSLESS },
};

const changedPaths = (ablation: Ablation, paths: readonly LtePath[]): readonly LtePath[] =>
  paths.map(({ down, up }) => ({ down: { ...down, ...CHANGES[ablation] }, up }));

/** All runs of the pairs once more, over changed networks or with another scheduler. */
export function ablationJobs(jobs: readonly CcJob[]): CcJob[] {
  const pairs = jobs.filter(({ control }) => control.kind === 'pair');
  return ABLATIONS.flatMap((ablation) =>
    pairs.map((job) => ({
      ...job,
      key: `${ablation} ${job.key}`,
      ablation,
      paths: changedPaths(ablation, job.paths),
    })),
  );
}

/** Why a claim differs. @param judged the first trials with each change, where those without it differ too */
function whyOf(judged: readonly { label: string; claim: ExperimentClaim }[]): string {
  if (judged.length === 0) {
    return 'The changed runs are too few to judge a change.';
  }
  const causes = judged.flatMap(({ label, claim: { agrees, ours } }) =>
    agrees === true ? [`With ${label} it agrees: ${ours}.`] : [],
  );
  const open = judged.flatMap(({ label, claim }) => (claim.agrees === null ? [label] : []));
  return [
    ...(causes.length > 0 ? causes : ['No change turns it.']),
    ...(open.length > 0 ? [`Undecided with ${open.join(', with ')}.`] : []),
  ].join(' ');
}

/**
 * Adds to each claim that differs the changes under which it agrees. A change is judged only where the same trials
 * without it differ too. Only "agrees" shows a cause, because an undecided claim may lack trials.
 */
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
    const beside = base.filter(({ job }) => trials.has(job.trial));
    return [
      {
        label: LABELS[ablation],
        changed: claimsOf(new CcValues(own)),
        beside: claimsOf(new CcValues(beside)),
      },
    ];
  });
  if (ablated.length === 0) return [...claims];
  return claims.map((claim, index) => {
    if (claim.agrees !== false) return claim;
    const judged = ablated.flatMap(({ label, changed, beside }) => {
      const one = changed[index];
      return one === undefined || beside[index]?.agrees !== false ? [] : [{ label, claim: one }];
    });
    return { ...claim, why: whyOf(judged) };
  });
}
