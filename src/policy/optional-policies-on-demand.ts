import { PolicyConfigError, type Policy } from './policy';

/** A policy whose code is in a separate chunk. */
interface OnDemand {
  policy: Policy;
  load: () => Promise<void>;
}

function onDemand(name: string, summary: string, importPolicy: () => Promise<Policy>): OnDemand {
  let loaded: Policy | undefined;
  const get = (): Policy => {
    if (loaded) return loaded;
    throw new PolicyConfigError(`the path policy "${name}" is not loaded yet`);
  };
  return {
    policy: {
      name,
      summary,
      initial: (config) => get().initial(config),
      decide: (state, observation) => get().decide(state, observation),
    },
    load: async () => {
      loaded ??= await importPolicy();
    },
  };
}

/** Copies of the names and summaries; a test compares them with the policies. */
const all: readonly OnDemand[] = [
  onDemand(
    'single-best',
    'The fastest network alone',
    async () => (await import('./single-best')).singleBestPolicy,
  ),
  onDemand(
    'path-use-decision',
    'Leaves out much slower networks (MPTCP+)',
    async () => (await import('./paper/path-use-decision')).pathUseDecisionPolicy,
  ),
  onDemand(
    'sticky-greedy',
    'One network until it gets congested (GR-STY)',
    async () => (await import('./paper/sticky-greedy')).stickyGreedyPolicy,
  ),
  onDemand(
    'sticky-throughput',
    'One network until it gets congested, then a faster one (TP-STY)',
    async () => (await import('./paper/sticky-throughput')).stickyThroughputPolicy,
  ),
  onDemand(
    'sticky-throughput-rtt',
    'One network until it gets congested, then a faster, nearer one (TR-STY)',
    async () => (await import('./paper/sticky-throughput-rtt')).stickyThroughputRttPolicy,
  ),
  onDemand(
    'genetic',
    'Most bandwidth and least delay difference (genetic)',
    async () => (await import('./paper/genetic')).geneticPolicy,
  ),
];

/** The papers' policies and `single-best`, loaded when one is asked for: most pages never use them. */
export const optionalPolicies: readonly Policy[] = all.map(({ policy }) => policy);

/** Loads the code of such a policy; other names need nothing. */
export async function loadPolicy(name: string): Promise<void> {
  await all.find(({ policy }) => policy.name === name)?.load();
}
