import type { Scenario } from '../../scenario';
import { explainedBy, resultsByChange, type Ablated } from '../explain';
import type { ExperimentClaim } from '../types';
import type { StickyKernelResult } from './kernel-cells';
import { stickyKernelClaims } from './kernel-claims';
import {
  FLOW_PATHS,
  KERNEL_PLAYERS,
  STICKY_KERNEL_ABLATIONS,
  type StickyKernelAblation,
  type StickyKernelJob,
} from './kernel-job';
import { NOT_SIMULATED } from './judge';

/** Five times the loss that the simulated set-up has on flows 1 and 2; one of its own changes too. */
const WIFI_LOSS_RATIO = 0.005;
/** As in the simulated change. */
const DEEP_QUEUE_BYTES = 200_000;

type Link = Scenario['topology']['links'][number];

interface KernelChange {
  label: string;
  /** The first trials of the experiment. Chosen: five trials take 25 minutes. */
  trials: number;
  changed: (scenario: Scenario) => Scenario;
}

/** The direction of the media of the links, by the number of the flow. */
function withMediaLinks(
  scenario: Scenario,
  changed: (media: Link['ba'], flow: number) => Link['ba'],
): Scenario {
  const { topology } = scenario;
  const links = topology.links.map((link): Link => {
    const flow = FLOW_PATHS.findIndex((path) => path === link.id) + 1;
    return flow === 0 ? link : { ...link, ba: changed(link.ba, flow) };
  });
  return { ...scenario, topology: { ...topology, links } };
}

const KERNEL_CHANGES: Readonly<Record<StickyKernelAblation, KernelChange>> = {
  'wifi-loss': {
    label: '0.5 % lost on flows 1 and 2 in place of none',
    trials: 5,
    changed: (scenario) =>
      withMediaLinks(scenario, (media, flow) =>
        flow === 3 ? media : { ...media, lossRatio: WIFI_LOSS_RATIO },
      ),
  },
  'one-rung': {
    label: 'the highest rung alone in place of six',
    trials: 3,
    changed: (scenario) => {
      const { media } = scenario;
      if (media.kind !== 'ladder') return scenario;
      return { ...scenario, media: { ...media, videoBps: media.videoBps.slice(-1) } };
    },
  },
  'deep-queues': {
    label: 'queues of 200 kB in place of 60 kB',
    trials: 5,
    changed: (scenario) =>
      withMediaLinks(scenario, (media) => ({ ...media, queueBytes: DEEP_QUEUE_BYTES })),
  },
};

/** The rules and their carriages. */
const COMPARED: readonly string[] = Object.values(KERNEL_PLAYERS).flatMap(Object.values<string>);

/** The first trials of the rules in the base scenario once more, with each change in turn. */
export function kernelAblationJobs(jobs: readonly StickyKernelJob[]): StickyKernelJob[] {
  const repeated = jobs.filter(
    ({ place, player }) => place === 'base' && COMPARED.includes(player),
  );
  return STICKY_KERNEL_ABLATIONS.flatMap((ablation) => {
    const { changed, trials } = KERNEL_CHANGES[ablation];
    return repeated
      .filter(({ trial }) => trial <= trials)
      .map((job) => ({
        ...job,
        key: `${ablation} ${job.key}`,
        ablation,
        scenario: changed(job.scenario),
      }));
  });
}

/** The sessions of each change that was run, and the same trials without it. */
export function ablatedSessions(results: readonly StickyKernelResult[]): {
  label: string;
  changed: StickyKernelResult[];
  same: StickyKernelResult[];
}[] {
  return resultsByChange(STICKY_KERNEL_ABLATIONS, results).map(({ ablation, ...sessions }) => ({
    label: KERNEL_CHANGES[ablation].label,
    ...sessions,
  }));
}

/** Adds to each claim that differs what becomes of it with each change. Claims about other scenarios have none. */
export function explainedInKernel(
  claims: readonly ExperimentClaim[],
  results: readonly StickyKernelResult[],
): ExperimentClaim[] {
  const ablated = ablatedSessions(results).map(({ label, changed, same }): Ablated => ({
    label,
    claims: stickyKernelClaims(changed).map((claim) =>
      claim.ours.includes(NOT_SIMULATED) ? undefined : claim,
    ),
    beside: stickyKernelClaims(same),
  }));
  return explainedBy(claims, ablated);
}
