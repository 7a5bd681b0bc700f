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

/**
 * Adds to each claim that differs the ablations under which it agrees. A change is judged only where the
 * same trials without it differ too. Only "agrees" shows a cause: an undecided one may lack trials.
 */
export function explainedBy(
  claims: readonly ExperimentClaim[],
  ablated: readonly Ablated[],
): ExperimentClaim[] {
  return claims.map((claim, index) => {
    if (claim.agrees !== false) return claim;
    const judged = ablated.flatMap(({ label, claims: changed, beside }) => {
      const one = changed[index];
      return one === undefined || beside[index]?.agrees !== false ? [] : [{ label, one }];
    });
    if (judged.length === 0) return claim;
    const causes = judged.flatMap(({ label, one: { agrees, ours } }) =>
      agrees === false
        ? []
        : [
            `With ${label} ${agrees === null ? 'these runs do not decide it' : 'it agrees'}: ${ours}.`,
          ],
    );
    const others = judged.map(({ label }) => label).join('; ');
    const why = causes.length > 0 ? causes.join(' ') : `It differs still with each of: ${others}.`;
    return { ...claim, why };
  });
}
