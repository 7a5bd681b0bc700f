/** Properties of the set-up that the paper leaves open, changed one at a time; the last one changes two at once. */
export const ABLATIONS = [
  'deep-queues',
  'no-loss',
  'mainline-scheduler',
  'deep-queues-no-loss',
] as const;
export type Ablation = (typeof ABLATIONS)[number];
