import { ABR_NAMES } from '../core';

/** Rules that a player of a scenario can have: ours, those of dash.js, and Shaka Player with its own. */
export const SCENARIO_ABR_NAMES = [...ABR_NAMES, 'shaka'] as const;
