import type { ExperimentClaim } from '../types';
import { ABLATIONS, QUEUES, type Ablation, type Cause } from './ablation-names';
import { controlKey, type CcJob, type Control, type LtePath } from './job';
import { NOT_MEASURED } from './claims';
import { CcValues, type CcResult } from './values';

const LABELS: Readonly<Record<Cause, string>> = {
  'deep-queues': 'deep queues',
  'no-loss': 'no losses',
  'mainline-scheduler': 'mainline’s scheduler',
  'deep-queues-no-loss': 'deep queues and no losses',
  'as-in-the-kernel': 'mainline’s scheduler and the sum shared as in the kernel',
  'olia-kernel-ranking': 'the ranking of OLIA’s kernel code',
  'wvegas-instant-rate': 'the weights of wVegas’s kernel code',
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
  'as-in-the-kernel': {},
  'olia-kernel-ranking': {},
  'wvegas-instant-rate': {},
  'queue-30-kb': { queueBytes: 30_000 },
  'queue-120-kb': { queueBytes: 120_000 },
  'queue-480-kb': { queueBytes: 480_000 },
};

type Pair = Extract<Control, { kind: 'pair' }>;

/** Pairs that a change concerns, if not all: the others are as without it. */
const CONCERNED: Readonly<Partial<Record<Ablation, (pair: Pair) => boolean>>> = {
  'as-in-the-kernel': ({ scope }) => scope === 'total',
  'olia-kernel-ranking': ({ coupled }) => coupled === 'olia',
  'wvegas-instant-rate': ({ coupled }) => coupled === 'wvegas',
};

/** Trials of each change of the network or the scheduler. */
export const CHANGE_TRIALS = 120;
/** Trials of each further queue size: its table needs no narrow intervals. */
export const QUEUE_TRIALS = 10;
/** Trials of the kernel code's readings: as many as the paper has runs. */
export const READING_TRIALS = 30;

/** The first trials, which have the same networks without the change. */
const TRIALS: Readonly<Record<Ablation, number>> = {
  'deep-queues': CHANGE_TRIALS,
  'no-loss': CHANGE_TRIALS,
  'mainline-scheduler': CHANGE_TRIALS,
  'deep-queues-no-loss': CHANGE_TRIALS,
  'as-in-the-kernel': CHANGE_TRIALS,
  'olia-kernel-ranking': READING_TRIALS,
  'wvegas-instant-rate': READING_TRIALS,
  'queue-30-kb': QUEUE_TRIALS,
  'queue-120-kb': QUEUE_TRIALS,
  'queue-480-kb': QUEUE_TRIALS,
};

const changedPaths = (ablation: Ablation, paths: readonly LtePath[]): readonly LtePath[] =>
  paths.map(({ down, up }) => ({ down: { ...down, ...CHANGES[ablation] }, up }));

/** The runs of the pairs once more, over changed networks, with another scheduler or another reading of a control. */
export function ablationJobs(jobs: readonly CcJob[]): CcJob[] {
  return [...ABLATIONS, ...QUEUES].flatMap((ablation) =>
    jobs
      .filter(({ control, trial }) => {
        const isConcerned = control.kind === 'pair' && (CONCERNED[ablation]?.(control) ?? true);
        return isConcerned && trial <= TRIALS[ablation];
      })
      .map((job) => ({
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
 * without it differ too, quantity by quantity. Only "agrees" shows a cause, because an undecided claim may lack trials.
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
    const changed = new CcValues(own);
    const controls = new Set(own.map(({ job }) => controlKey(job.control)));
    const unchanged = base.filter(({ job }) => !controls.has(controlKey(job.control)));
    return [
      {
        label: LABELS[ablation],
        changed: claimsOf(new CcValues([...own, ...unchanged], changed)),
        beside: claimsOf(new CcValues(base, changed)),
      },
    ];
  });
  if (ablated.length === 0) return [...claims];
  return claims.map((claim, index) => {
    if (claim.agrees !== false) return claim;
    const judged = ablated.flatMap(({ label, changed, beside }) => {
      const one = changed[index];
      // Kept runs of an earlier version lack some quantities.
      const isTried = one !== undefined && one.ours !== NOT_MEASURED;
      return isTried && beside[index]?.agrees === false ? [{ label, claim: one }] : [];
    });
    return { ...claim, why: whyOf(judged) };
  });
}
