import type { ExperimentOptions } from '../../types';
import { mptcpPlusExperiment } from '../experiment';
import type { MptcpPlusJob, MptcpPlusOutcome, SessionJob, SessionOutcome } from '../jobs';
import type { Variant } from '../variants';

export const quick: ExperimentOptions = { quick: true, seed: 1, read: () => '' };
const rising = (from: number): number[] => Array.from({ length: 21 }, (_, i) => from + i);

/** Outcomes that depend on the job, and slightly on the seed. @param spread of the fast and the slow path's rate in Fig. 5, bit/s */
export function made(
  of: (job: SessionJob) => number,
  [fastSpread, slowSpread] = [2e6, 1e5] as readonly [number, number],
): { job: MptcpPlusJob; outcome: MptcpPlusOutcome }[] {
  return mptcpPlusExperiment.plan(quick).map((one) => {
    if (one.kind === 'samples') {
      const wave = (height: number): number[] =>
        Array.from({ length: 300 }, (_, i) => height * (i % 2) + one.seed);
      const outcome = {
        kind: 'samples',
        fastBps: wave(fastSpread),
        slowBps: wave(slowSpread),
      };
      return { job: one, outcome: outcome as MptcpPlusOutcome };
    }
    if (one.kind === 'windows') {
      const isCalm = one.variant === 'mcc-only' || one.variant === 'mcc-unsmoothed';
      const both: [number[], number[]] = [
        [10, 12],
        [5, 6],
      ];
      const outcome: MptcpPlusOutcome = {
        kind: 'windows',
        windows: both,
        ratesKbps: both,
        bitratesKbps: [500, 700],
        totalVariation: (isCalm ? 0.3 : 0.5) + one.seed / 1e3,
        fastVariation: 0.5,
        bitrateBps: 1e6 * one.ratio + one.seed,
        switches: 2,
        smoothedAcks: one.variant === 'mptcp' ? null : 0.15,
        smoothedReductions: one.variant === 'mptcp' ? null : one.variant === 'mcc-round' ? 0.95 : 0,
      };
      return { job: one, outcome };
    }
    const good = of(one);
    const outcome: SessionOutcome = {
      kind: 'session',
      bitrateBps: good * 1e6 + one.seed,
      switches: 3,
      outageMs: 0,
      qoe: good,
      slowShare: 0.3,
      delaysMs: rising(1000 / good),
      speedsBps: rising(good * 1e6),
    };
    return { job: one, outcome };
  });
}

export const report = (
  results: ReturnType<typeof made>,
): ReturnType<typeof mptcpPlusExperiment.report> => mptcpPlusExperiment.report(results, quick);

/** Verdicts of the statements at a place. */
export const verdicts = (results: ReturnType<typeof made>, begins: string): (boolean | null)[] =>
  report(results)
    .claims.filter(({ place }) => place.startsWith(begins))
    .map(({ agrees }) => agrees);

/** Sessions of one variant are twice as good. */
export const by = (best: Variant) => (one: SessionJob) =>
  (one.variant === best ? 2 : 1) * (1 + one.ratio) + one.seed / 1e3;
