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

/** For the reports of the lab's runs. */
export const NO_CHANGES =
  'No change of the set-up was run in the kernel: a reason that begins with "simulated" is the simulator’s for the same row.';

/**
 * Adds to each claim that differs in the lab the simulator's reason for the same claim, if that differs there too. The
 * lab's runs have no changes of the set-up of their own.
 */
export function withSimulatedReasons(
  claims: readonly ExperimentClaim[],
  simulated: readonly ExperimentClaim[],
): ExperimentClaim[] {
  return claims.map((claim) => {
    const twin = simulated.find(
      ({ place, paper }) => place === claim.place && paper === claim.paper,
    );
    const isOpen = claim.agrees === false && claim.why === undefined;
    if (!isOpen || twin?.agrees !== false || twin.why === undefined) return claim;
    return { ...claim, why: `simulated: ${twin.why}` };
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
 * has already. Only "agrees" shows a cause, and only if the same trials without the change do not agree too: an
 * undecided one may lack trials.
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
  const isCause = ({ changed, besideAgrees }: Tried): boolean =>
    changed.agrees === true && besideAgrees !== true;
  const causes = tried.filter(isCause);
  const others = tried.filter((one) => !isCause(one));
  const labels = (agrees: boolean | null): string =>
    others
      .filter(({ changed }) => changed.agrees === agrees)
      .map(({ label }) => label)
      .join('; ');
  const [still, open, anyway] = [labels(false), labels(null), labels(true)];
  return [
    ...causes.map(causeText),
    ...(causes.length === 0 && open + anyway !== '' ? ['No change is shown to turn it.'] : []),
    ...(open === '' ? [] : [`These trials do not decide it with: ${open}.`]),
    ...(anyway === '' ? [] : [`Its trials agree with and without: ${anyway}.`]),
    // Beside a cause, the other changes are of no interest.
    ...(causes.length > 0 || still === '' ? [] : [`It differs still with each of: ${still}.`]),
  ].join(' ');
}

function causeText({ label, changed, besideAgrees }: Tried): string {
  const without =
    besideAgrees === null ? ' The same trials without this change do not decide it.' : '';
  return `With ${label} it agrees: ${changed.ours}.${without}`;
}
