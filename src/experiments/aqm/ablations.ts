import type { Scenario } from '../../scenario';
import type { AqmAblation, AqmJob } from './job';

/** Load and rate of the first version of the six scenarios. */
const EARLIER_RATE_BPS = 8_000_000;
const EARLIER_CALLS = 10;
const EARLIER_HOLD_MS = 10_000;

/** What an ablation changes: one property, or all three as in the first version of the scenarios. */
interface Change {
  label: string;
  /** A port pair, so a flow, for each call. */
  callFlows?: true;
  longCalls?: true;
  fastLinks?: true;
}

const CHANGES: Readonly<Record<AqmAblation, Change>> = {
  'call-flows': {
    label: 'a flow of its own for each call in place of one for all',
    callFlows: true,
  },
  'long-calls': { label: 'ten calls at a time of 10 s in place of ten of 1 s', longCalls: true },
  'fast-links': { label: 'bottlenecks of 8 Mbit/s in place of 4.5', fastLinks: true },
  'earlier-load': {
    label: 'all three: ten calls at a time of 10 s, each a flow of its own, over 8 Mbit/s',
    ...{ callFlows: true, longCalls: true, fastLinks: true },
  },
};

export const ablationLabel = (ablation: AqmAblation): string => CHANGES[ablation].label;

type Traffic = Scenario['traffic'][number];
type Link = Scenario['topology']['links'][number];

function changedTraffic(spec: Traffic, { callFlows, longCalls }: Change): Traffic {
  if (spec.calls === undefined) return spec;
  const calls = {
    ...spec.calls,
    ...(callFlows ? { ports: 'each' as const } : {}),
    ...(longCalls ? { perSecond: EARLIER_CALLS / 2, holdMs: EARLIER_HOLD_MS } : {}),
  };
  return { ...spec, calls, ...(longCalls ? { intensity: EARLIER_CALLS } : {}) };
}

function fasterLink(link: Link): Link {
  const faster = (direction: Link['ab']): Link['ab'] =>
    direction.rateBps === undefined ? direction : { ...direction, rateBps: EARLIER_RATE_BPS };
  return link.id === 'r1-r3' || link.id === 'r2-r4'
    ? { ...link, ab: faster(link.ab), ba: faster(link.ba) }
    : link;
}

function changed(change: Change, scenario: Scenario): Scenario {
  const { traffic, topology } = scenario;
  return {
    ...scenario,
    traffic: traffic.map((spec) => changedTraffic(spec, change)),
    topology: change.fastLinks ? { ...topology, links: topology.links.map(fasterLink) } : topology,
  };
}

/** The first trials once more, with a property of the load changed. */
export function ablationJobs(
  jobs: readonly AqmJob[],
  ablations: readonly AqmAblation[],
  trials: number,
): AqmJob[] {
  return ablations.flatMap((ablation) =>
    jobs
      .filter(({ trial }) => trial <= trials)
      .map((job) => ({
        ...job,
        key: `${ablation} ${job.key}`,
        ablation,
        scenario: changed(CHANGES[ablation], job.scenario),
      })),
  );
}
