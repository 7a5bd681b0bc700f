import { explainedBy, resultsByChange, type Ablated } from '../explain';
import type { ExperimentClaim } from '../types';
import { isPrinted, STICKY_ABLATIONS, type StickyAblation } from './ablation-names';
import { Cells } from './cells';
import { stickyClaims } from './claims';
import { NOT_SIMULATED } from './judge';
import type { StickyJob, StickyOutcome } from './run-sticky';
import { BUFFERS, scenariosWith, WIFI_LOSS, type StickyScenario } from './set-up';

interface StickyResult {
  job: StickyJob;
  outcome: StickyOutcome;
}

/** Trials of an ablation: the first ones of the experiment. */
export const ABLATION_TRIALS = 10;
/** Trials of TR-STY as printed: with 10, chance hides what it changes where a path loses 2 %. */
export const PRINTED_TRIALS = 40;
/** Five times the set-up's loss of the wireless flows. */
const MORE_WIFI_LOSS = 0.005;
/** Half of the set-up's receive buffer. */
const SMALL_RECEIVE_BUFFER_BYTES = 262_144;
/** Three such queues hold more than the receive buffer. */
const DEEP_QUEUE_BYTES = 200_000;

/** The two changes of `tr-sty-printed-no-wifi-loss`. */
const TWO_CHANGES = ['tr-sty-printed', 'no-wifi-loss'] as const;

const LABELS: Readonly<Record<StickyAblation, string>> = {
  'tr-sty-printed': 'TR-STY as printed (moves to a longer round trip)',
  'no-wifi-loss': 'no losses on Wi-Fi',
  'more-wifi-loss': '0.5 % lost on Wi-Fi in place of 0.1 %',
  'small-receive-buffer': 'a receive buffer of 256 KiB in place of 512 KiB',
  'deep-queues': 'queues of 200 kB in place of 60 kB',
  'tr-sty-printed-no-wifi-loss': 'TR-STY as printed and no losses on Wi-Fi (two changes)',
};

const CHANGED: Readonly<Record<StickyAblation, readonly StickyScenario[]>> = {
  'tr-sty-printed': scenariosWith(WIFI_LOSS),
  'no-wifi-loss': scenariosWith(0),
  'more-wifi-loss': scenariosWith(MORE_WIFI_LOSS),
  'small-receive-buffer': scenariosWith(WIFI_LOSS, {
    ...BUFFERS,
    receiveBufferBytes: SMALL_RECEIVE_BUFFER_BYTES,
  }),
  'deep-queues': scenariosWith(WIFI_LOSS, { ...BUFFERS, queueBytes: DEEP_QUEUE_BYTES }),
  'tr-sty-printed-no-wifi-loss': scenariosWith(0),
};

/** The jobs that an ablation repeats: all of its rule, else the base scenario, and Fig. 7's two controls. */
function repeats(ablation: StickyAblation, { scenario, control, scheduler }: StickyJob): boolean {
  if (isPrinted(ablation) && scheduler !== 'TR-STY') return false;
  if (ablation === 'tr-sty-printed') return true;
  if (scenario.id === 'base') return true;
  const isOfBuffers = ablation === 'small-receive-buffer' || ablation === 'deep-queues';
  const isUncoupled = control === 'Cubic' || control === 'Compound';
  return isOfBuffers && isUncoupled && scenario.id === '3p-50';
}

const trialsOf = (ablation: StickyAblation): number =>
  ablation === 'tr-sty-printed' ? PRINTED_TRIALS : ABLATION_TRIALS;

/**
 * Some jobs of a trial once more, with one property changed.
 * @param trial its number, from 0
 */
export function ablationJobs(jobs: readonly StickyJob[], trial: number): StickyJob[] {
  return STICKY_ABLATIONS.filter((ablation) => trial < trialsOf(ablation)).flatMap((ablation) =>
    jobs
      .filter((job) => repeats(ablation, job))
      .map((job) => ({
        ...job,
        key: `${ablation} ${job.key}`,
        ablation,
        scenario: CHANGED[ablation].find(({ id }) => id === job.scenario.id) ?? job.scenario,
      })),
  );
}

/** The outcomes of the ablations, each beside the same trials without the change. */
export function ablatedCells(
  results: readonly StickyResult[],
): { ablation: StickyAblation; label: string; changed: Cells; same: Cells }[] {
  return resultsByChange(STICKY_ABLATIONS, results).map(({ ablation, changed: own, same }) => {
    const seeds = new Set(own.map(({ job }) => job.seed));
    const changed = new Cells([...own, ...othersOf(ablation, results, seeds)]);
    return { ablation, label: LABELS[ablation], changed, same: new Cells(same) };
  });
}

/** The other schedulers beside TR-STY as printed: those of the set-up, or of the other change. */
function othersOf(
  ablation: StickyAblation,
  results: readonly StickyResult[],
  seeds: ReadonlySet<number>,
): StickyResult[] {
  if (!isPrinted(ablation)) return [];
  const other = ablation === 'tr-sty-printed' ? undefined : 'no-wifi-loss';
  return results.filter(
    ({ job }) => job.ablation === other && job.scheduler !== 'TR-STY' && seeds.has(job.seed),
  );
}

interface AblatedClaims {
  ablation: StickyAblation;
  label: string;
  claims: ExperimentClaim[];
  beside: ExperimentClaim[];
}

/** Adds to each claim that differs what becomes of it with each ablation. */
export function explained(
  claims: readonly ExperimentClaim[],
  results: readonly StickyResult[],
): ExperimentClaim[] {
  const found = ablatedCells(results).map(({ ablation, label, changed, same }): AblatedClaims => ({
    ablation,
    label,
    claims: stickyClaims(changed),
    beside: stickyClaims(same),
  }));
  const ablated = found.map((one): Ablated => ({
    label: one.label,
    claims: one.claims.map((_, index) => triedClaim(one, index, found)),
    beside: one.beside,
  }));
  return explainedBy(claims, ablated);
}

/**
 * A claim with the change; undefined where it was not tried: its cells were not simulated, or TR-STY as printed
 * gives no other value. Two changes are tried only where neither one alone makes the claim agree.
 */
function triedClaim(
  { ablation, claims, beside }: AblatedClaims,
  index: number,
  found: readonly AblatedClaims[],
): ExperimentClaim | undefined {
  const claim = claims[index];
  if (claim === undefined || claim.ours.includes(NOT_SIMULATED)) return undefined;
  if (!isPrinted(ablation)) return claim;
  const claimsWith = (name: StickyAblation): ExperimentClaim | undefined =>
    found.find((one) => one.ablation === name)?.claims[index];
  const isOne = ablation === 'tr-sty-printed';
  const otherwise = isOne ? beside[index] : claimsWith('no-wifi-loss');
  if (claim.ours === otherwise?.ours) return undefined;
  const isTurned = TWO_CHANGES.some((name) => claimsWith(name)?.agrees === true);
  return !isOne && isTurned ? undefined : claim;
}
