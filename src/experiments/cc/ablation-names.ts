/** A property of the set-up that the paper leaves open, changed alone. */
export const ABLATIONS = ['deep-queues', 'no-loss', 'mainline-scheduler'] as const;
export type Ablation = (typeof ABLATIONS)[number];
