import type { ExperimentClaim } from './types';

/** The statements once more, with one property of the set-up changed. */
export interface Ablated {
  /** "queues of 240 kB in place of 60 kB". */
  label: string;
  /** Claims in the order of the report's; undefined where the change was not tried. */
  claims: readonly (ExperimentClaim | undefined)[];
  /** The same trials without the change. */
  beside: readonly ExperimentClaim[];
}

interface Repeated<Change extends string> {
  job: { seed: number; ablation?: Change };
}

/** Results of each change that was run, and results of the same trials without it. */
export function resultsByChange<Change extends string, Result extends Repeated<Change>>(
  changes: readonly Change[],
  results: readonly Result[],
): { ablation: Change; changed: Result[]; same: Result[] }[] {
  const base = results.filter(({ job }) => job.ablation === undefined);
  return changes.flatMap((ablation) => {
    const changed = results.filter(({ job }) => job.ablation === ablation);
    if (changed.length === 0) return [];
    const seeds = new Set(changed.map(({ job }) => job.seed));
    return [{ ablation, changed, same: base.filter(({ job }) => seeds.has(job.seed)) }];
  });
}

/** End of a reason that is none: the effect is there, and too small. */
export const SIGN_ONLY = "sign is the paper's, the size is below the margin.";

/** For the reports of the lab's runs. */
export const NO_CHANGES =
  'No change of the set-up was run in the kernel. A reason after "Simulated:" is the simulator’s for the same row.';

/** The same for runs with changes of their own. */
export const SOME_CHANGES =
  'The changes were run in the kernel too. A reason after "Simulated:" is the simulator’s for the same row.';

/** Where a reason names a cause. */
const CAUSE = /\bit agrees:/u;

/**
 * Adds to each claim that differs in the lab the simulator's reason for the same claim, if that differs there too. A
 * cause that was found in the lab itself stands alone.
 */
export function withSimulatedReasons(
  claims: readonly ExperimentClaim[],
  simulated: readonly ExperimentClaim[],
): ExperimentClaim[] {
  return claims.map((claim) => {
    const twin = simulated.find(
      ({ place, paper }) => place === claim.place && paper === claim.paper,
    );
    const { why: own = '' } = claim;
    const isOpen = claim.agrees === false && !CAUSE.test(own);
    if (!isOpen || twin?.agrees !== false || twin.why === undefined) return claim;
    // The size of the simulator's effect says nothing about the lab's.
    const why = twin.why.replace(`The ${SIGN_ONLY}`, '').trim();
    return why === '' ? claim : { ...claim, why: `${own} Simulated: ${why}`.trim() };
  });
}

interface Tried {
  label: string;
  changed: ExperimentClaim;
  /** Verdict of the same trials without the change. */
  besideAgrees: boolean | null;
}

/**
 * Adds to each claim that differs what becomes of it with each ablation that was tried, after a `why` that it
 * has already. Only "agrees" shows a cause, and only if the same trials differ without the change.
 */
export function explainedBy(
  claims: readonly ExperimentClaim[],
  ablated: readonly Ablated[],
): ExperimentClaim[] {
  return claims.map((claim, index) => {
    if (claim.agrees !== false) return claim;
    const tried = ablated.flatMap(({ label, claims: changed, beside }): Tried[] => {
      const one = changed[index];
      const besideAgrees = beside[index]?.agrees ?? null;
      return one === undefined ? [] : [{ label, changed: one, besideAgrees }];
    });
    if (tried.length === 0) return claim;
    return { ...claim, why: [claim.why ?? '', whyOf(tried)].join(' ').trim() };
  });
}

function whyOf(tried: readonly Tried[]): string {
  const labels = (agrees: boolean | null, beside?: boolean | null): string =>
    tried
      .filter(
        ({ changed, besideAgrees }) =>
          changed.agrees === agrees && (beside === undefined || besideAgrees === beside),
      )
      .map(({ label }) => label)
      .join('; ');
  const causes = tried.filter(
    ({ changed, besideAgrees }) => changed.agrees === true && besideAgrees === false,
  );
  const [still, open] = [labels(false), labels(null)];
  const [unlike, anyway] = [labels(true, null), labels(true, true)];
  return [
    ...causes.map(({ label, changed }) => `With ${label} it agrees: ${changed.ours}.`),
    ...(causes.length === 0 && open + unlike + anyway !== ''
      ? ['No change is shown to turn it.']
      : []),
    ...(open === '' ? [] : [`These trials do not decide it with: ${open}.`]),
    ...(unlike === '' ? [] : [`It agrees, undecided without the change: ${unlike}.`]),
    ...(anyway === '' ? [] : [`Its trials agree with and without: ${anyway}.`]),
    // Beside a cause, the other changes are of no interest.
    ...(causes.length > 0 || still === '' ? [] : [`It differs still with each of: ${still}.`]),
  ].join(' ');
}
