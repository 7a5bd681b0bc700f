import { explainedBy, type Ablated } from '../explain';
import type { ExperimentClaim } from '../types';
import { STICKY_ABLATIONS, type StickyAblation } from './ablation-names';
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
/** Five times the set-up's loss of the wireless flows. */
const MORE_WIFI_LOSS = 0.005;
/** Half of the set-up's receive buffer. */
const SMALL_RECEIVE_BUFFER_BYTES = 262_144;
/** More than the receive buffer holds: the queues never overflow. */
const DEEP_QUEUE_BYTES = 200_000;

const LABELS: Readonly<Record<StickyAblation, string>> = {
  'tr-sty-printed': 'TR-STY as printed (moves to a longer round trip)',
  'no-wifi-loss': 'no losses on Wi-Fi',
  'more-wifi-loss': '0.5 % lost on Wi-Fi in place of 0.1 %',
  'small-receive-buffer': 'a receive buffer of 256 KiB in place of 512 KiB',
  'deep-queues': 'queues of 200 kB in place of 60 kB',
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
};

/** The jobs that an ablation repeats: all of its rule, else the base scenario, and Fig. 7's two controls. */
function repeats(ablation: StickyAblation, { scenario, control, scheduler }: StickyJob): boolean {
  if (ablation === 'tr-sty-printed') return scheduler === 'TR-STY';
  if (scenario.id === 'base') return true;
  const isOfBuffers = ablation === 'small-receive-buffer' || ablation === 'deep-queues';
  const isUncoupled = control === 'Cubic' || control === 'Compound';
  return isOfBuffers && isUncoupled && scenario.id === '3p-50';
}

/** Some jobs of a trial once more, with one property changed. */
export function ablationJobs(jobs: readonly StickyJob[]): StickyJob[] {
  return STICKY_ABLATIONS.flatMap((ablation) =>
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
  const base = results.filter(({ job }) => job.ablation === undefined);
  return STICKY_ABLATIONS.flatMap((ablation) => {
    const own = results.filter(({ job }) => job.ablation === ablation);
    if (own.length === 0) return [];
    const seeds = new Set(own.map(({ job }) => job.seed));
    const same = base.filter(({ job }) => seeds.has(job.seed));
    // The other schedulers are those of the set-up.
    const others =
      ablation === 'tr-sty-printed' ? same.filter(({ job }) => job.scheduler !== 'TR-STY') : [];
    const changed = new Cells([...own, ...others]);
    return [{ ablation, label: LABELS[ablation], changed, same: new Cells(same) }];
  });
}

/** Adds to each claim that differs the ablations under which it agrees. */
export function explained(
  claims: readonly ExperimentClaim[],
  results: readonly StickyResult[],
): ExperimentClaim[] {
  const ablated = ablatedCells(results).map(({ label, changed, same }): Ablated => ({
    label,
    claims: stickyClaims(changed).map((one) =>
      one.ours.includes(NOT_SIMULATED) ? undefined : one,
    ),
    beside: stickyClaims(same),
  }));
  return explainedBy(claims, ablated);
}
