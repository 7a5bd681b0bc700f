/** Path policies a player can be steered by; `model` is ours. The names of `src/paths` and `src/brain`. */
export const POLICY_NAMES = [
  'model',
  'all',
  'single-best',
  'path-use-decision',
  'sticky-greedy',
  'sticky-throughput',
  'sticky-throughput-rtt',
  'genetic',
  'metered',
] as const;

/** Rules a player can choose its bitrate by. */
export const ABR_NAMES = [
  'multipath',
  'dynamic',
  'bola',
  'throughput',
  'l2a',
  'lolp',
  'shaka',
] as const;
