/** Okabe and Ito's palette, distinguishable with every common kind of colour vision. */
const pathColours = ['#0072B2', '#E69F00', '#009E73', '#CC79A7', '#56B4E9', '#D55E00'];

/**
 * Colours of the rungs, after viridis with a lighter low end: the order survives greyscale, both ends are visible on light and
 * dark.
 */
const rungColours = ['#7b3fa0', '#4a5fb0', '#2a788e', '#22a884', '#7ad151', '#fde725'];

export function pathColour(index: number): string {
  return pathColours[index % pathColours.length] ?? '#888888';
}

/** Spreads a ladder over the colour ramp. */
export function rungColour(rung: number, rungs: number): string {
  const last = rungColours.length - 1;
  const position = rungs > 1 ? Math.round((rung / (rungs - 1)) * last) : last;
  return rungColours[Math.min(last, Math.max(0, position))] ?? '#888888';
}

/** `#RRGGBB` with an opacity. */
export function fade(colour: string, opacity: number): string {
  return `${colour}${Math.round(opacity * 255)
    .toString(16)
    .padStart(2, '0')}`;
}

/** Colours of the page's scheme, from its style sheet. */
export function themeColour(name: 'text' | 'grid' | 'stall' | 'muted' | 'out-of-order'): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
