/** Properties of the set-up that the paper leaves open; each is changed alone, and two of them together. */
export const STICKY_ABLATIONS = [
  'tr-sty-printed',
  'no-wifi-loss',
  'more-wifi-loss',
  'small-receive-buffer',
  'deep-queues',
  'tr-sty-printed-no-wifi-loss',
] as const;
export type StickyAblation = (typeof STICKY_ABLATIONS)[number];

/** The ablations that simulate TR-STY alone, by the condition that the paper prints (section V). */
export function isPrinted(ablation: StickyAblation | undefined): boolean {
  return ablation === 'tr-sty-printed' || ablation === 'tr-sty-printed-no-wifi-loss';
}
