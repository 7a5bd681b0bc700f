import { clamp, LN2, halving, isCarrying, type Forecast, type PathId } from '../core';
import type { Return } from '../abr';
import type { PathEstimatorState } from '../estimate';

/** The spells of one kind: their total time, and how many have ended. */
interface Spells {
  ms: number;
  ended: number;
}

/** How often the kernel reported that a path's link or address went, and how long it was away. Plain data. */
export interface LinkHistory {
  pathId: PathId;
  seenMs: number;
  isAway: boolean;
  /** Each ended with a loss. */
  up: Spells;
  /** Each ended with a return. */
  away: Spells;
}

/** Time without a loss, and without a return, that weighs against the history. Simulated training pairs with losses. */
const PRIOR_MS = { up: 20_000, away: 10_000 } as const;
/** A longer gap between two looks was not observed. Chosen; no measurement. */
const MAX_STEP_MS = 1000;

const none: Spells = { ms: 0, ended: 0 };

/** Follows every path after samples and events. A path that was lost is away until it has a living subflow. */
export function followLinks(
  known: readonly LinkHistory[],
  { paths }: PathEstimatorState,
  nowMs: number,
): LinkHistory[] {
  return [...paths].map(([pathId, { state, withdrawn }]): LinkHistory => {
    const before = known.find((one) => one.pathId === pathId);
    const { seenMs = nowMs, isAway: wasAway = false, up = none, away = none } = before ?? {};
    const isAway = withdrawn || (wasAway && !isCarrying(state));
    const stepMs = clamp(nowMs - seenMs, 0, MAX_STEP_MS);
    const longer = ({ ms, ended }: Spells): Spells => ({
      ms: ms + stepMs,
      ended: ended + (isAway === wasAway ? 0 : 1),
    });
    const spells = wasAway ? { up, away: longer(away) } : { up: longer(up), away };
    return { pathId, seenMs: nowMs, isAway, ...spells };
  });
}

/**
 * The next end of a spell within `ms`, at the rate at which they ended before (a Poisson process).
 * `up`: the loss of the fastest path in use. `away`: the return of the fastest one that is away. Chance 0 without a history.
 */
export function spellEnd(
  known: readonly LinkHistory[],
  { paths }: Pick<Forecast, 'paths'>,
  kind: 'up' | 'away',
  ms: number,
): Return | undefined {
  const ends = paths.flatMap(({ pathId, rateBps, usable }) => {
    const link = known.find((one) => one.pathId === pathId);
    if (link === undefined || !(kind === 'up' ? usable : link.isAway)) return [];
    const { ended, ms: overMs } = link[kind];
    const expected = (ended / (overMs + PRIOR_MS[kind])) * ms;
    return { rateBps, chance: 1 - halving(expected / LN2) };
  });
  return ends.sort((a, b) => b.rateBps - a.rateBps)[0];
}
