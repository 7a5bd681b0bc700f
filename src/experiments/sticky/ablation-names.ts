/** A property of the set-up that the paper leaves open, changed alone. */
export const STICKY_ABLATIONS = [
  'tr-sty-printed',
  'no-wifi-loss',
  'more-wifi-loss',
  'small-receive-buffer',
  'deep-queues',
] as const;
export type StickyAblation = (typeof STICKY_ABLATIONS)[number];
