import type { Scenario } from '../../scenario';
import type { AqmAblation, AqmJob } from './job';

/** Trials of an ablation: the first ones of the experiment. */
export const ABLATION_TRIALS = 8;

/** Load and rate of the first version of the six scenarios. */
const EARLIER_RATE_BPS = 8_000_000;
const EARLIER_CALLS = 10;
const EARLIER_HOLD_MS = 10_000;

const LABELS: Readonly<Record<AqmAblation, string>> = {
  'call-flows': 'a flow of its own for each call in place of one for all',
  'earlier-load': 'ten calls at a time, each a flow of its own, over 8 Mbit/s',
};

export const ablationLabel = (ablation: AqmAblation): string => LABELS[ablation];

function changed(ablation: AqmAblation, scenario: Scenario): Scenario {
  const isEarlier = ablation === 'earlier-load';
  const traffic = scenario.traffic.map((spec) => {
    if (spec.calls === undefined) return spec;
    if (!isEarlier) return { ...spec, calls: { ...spec.calls, ports: 'each' as const } };
    const calls = { perSecond: EARLIER_CALLS / 2, holdMs: EARLIER_HOLD_MS, ports: 'each' as const };
    return { ...spec, intensity: EARLIER_CALLS, calls };
  });
  if (!isEarlier) return { ...scenario, traffic };
  const { topology } = scenario;
  const links = topology.links.map((link) => {
    const faster = (direction: typeof link.ab): typeof link.ab =>
      direction.rateBps === undefined ? direction : { ...direction, rateBps: EARLIER_RATE_BPS };
    return link.id === 'r1-r3' || link.id === 'r2-r4'
      ? { ...link, ab: faster(link.ab), ba: faster(link.ba) }
      : link;
  });
  return { ...scenario, traffic, topology: { ...topology, links } };
}

/** The first trials once more, with one property of the load changed. */
export function ablationJobs(jobs: readonly AqmJob[], ablations: readonly AqmAblation[]): AqmJob[] {
  return ablations.flatMap((ablation) =>
    jobs
      .filter(({ trial }) => trial <= ABLATION_TRIALS)
      .map((job) => ({
        ...job,
        key: `${ablation} ${job.key}`,
        ablation,
        scenario: changed(ablation, job.scenario),
      })),
  );
}
