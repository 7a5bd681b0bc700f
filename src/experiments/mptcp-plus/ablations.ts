import { explainedBy, type Ablated } from '../explain';
import type { ExperimentClaim } from '../types';
import { mptcpPlusClaims } from './claims';
import { MptcpPlusResults, type MptcpPlusResult } from './results';
import type { Variant } from './variants';

/** The outcomes of the set-up itself: what the paper's figures show. */
export const isOfSetUp = ({ job }: MptcpPlusResult): boolean =>
  job.kind !== 'samples' || job.queueBytes === undefined;

/** A part of MPTCP+ in its place. */
function withPart(results: readonly MptcpPlusResult[], part: Variant): MptcpPlusResult[] {
  return results.flatMap((one): MptcpPlusResult[] => {
    const { job } = one;
    if (job.kind !== 'session') return [];
    if (job.variant === part) return [{ ...one, job: { ...job, variant: 'mptcp-plus' } }];
    return job.variant === 'mptcp-plus' ? [] : [one];
  });
}

/** Adds to each claim that differs the ablations under which it agrees. */
export function explained(
  claims: readonly ExperimentClaim[],
  results: readonly MptcpPlusResult[],
): ExperimentClaim[] {
  const set = results.filter(isOfSetUp);
  const claimsOf = (some: readonly MptcpPlusResult[]) =>
    mptcpPlusClaims(new MptcpPlusResults(some));
  const beside = claimsOf(set);
  const ablated = (
    label: string,
    some: readonly MptcpPlusResult[],
    isOf: (claim: ExperimentClaim) => boolean,
  ): Ablated[] =>
    some.length === 0
      ? []
      : [{ label, claims: claimsOf(some).map((one) => (isOf(one) ? one : undefined)), beside }];
  const isOfParts = ({ place }: ExperimentClaim): boolean =>
    /^(Fig\. [78]|Section IV-B$|Abstract$|Conclusion$)/.test(place);
  return explainedBy(claims, [
    ...ablated(
      'queues of 15 kB in place of 60 kB',
      results.filter((one) => !isOfSetUp(one)),
      ({ place }) => place.startsWith('Fig. 5'),
    ),
    ...ablated('MCC alone, without the path use decision', withPart(set, 'mcc-only'), isOfParts),
    ...ablated('the path use decision alone, over LIA', withPart(set, 'pud-only'), isOfParts),
  ]);
}
