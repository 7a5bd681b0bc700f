// Written by scripts/registries.mjs. Do not edit.

/** Path policies: `src/policy`. */
export const POLICY_NAMES = [
  'all',
  'metered',
  'model',
  'genetic',
  'path-use-decision',
  'sticky-greedy',
  'sticky-throughput-rtt',
  'sticky-throughput',
  'single-best',
] as const;

/** The player's own ABR rules: `src/abr`. */
export const OWN_ABR_NAMES = ['multipath'] as const;
