/**
 * Properties of the set-up that the paper leaves open, changed one at a time; `deep-queues-no-loss` and `as-in-the-kernel`
 * change two at once.
 */
export const ABLATIONS = [
  'deep-queues',
  'no-loss',
  'mainline-scheduler',
  'deep-queues-no-loss',
  'as-in-the-kernel',
  'olia-kernel-ranking',
  'wvegas-instant-rate',
] as const;

/** Further queue sizes. They fill a table and are no causes. */
export const QUEUES = ['queue-30-kb', 'queue-120-kb', 'queue-480-kb'] as const;

export type Cause = (typeof ABLATIONS)[number];
export type Ablation = Cause | (typeof QUEUES)[number];
