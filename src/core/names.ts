import { OWN_ABR_NAMES } from './names.generated';

/** Names that users write: on the command line, in scenarios, in the page's address. */

/** Rules of dash.js that choose the rung. */
export const DASHJS_RULES = ['dynamic', 'bola', 'throughput', 'l2a', 'lolp'] as const;

/** Rules of the literature, for comparison: `src/abr/reference`. */
export const REFERENCE_RULES = ['robust-mpc', 'soda', 'throughput-2016'] as const;

/** Rules that choose the rung: the player's own, those of the literature, those of dash.js. */
export const ABR_NAMES = [...OWN_ABR_NAMES, ...REFERENCE_RULES, ...DASHJS_RULES] as const;
export type AbrName = (typeof ABR_NAMES)[number];
export type ReferenceRuleName = (typeof REFERENCE_RULES)[number];
export type DashjsRule = (typeof DASHJS_RULES)[number];
export type OwnAbrName = (typeof OWN_ABR_NAMES)[number];

/** True for a rule of `src/abr`, which plans with the forecast of the paths. */
export function isOwnRule(name: string): name is OwnAbrName {
  return (OWN_ABR_NAMES as readonly string[]).includes(name);
}

/** True for a rule of the literature, which knows only what an unmodified player knows. */
export function isReferenceRule(name: string): name is ReferenceRuleName {
  return (REFERENCE_RULES as readonly string[]).includes(name);
}
