import type { Random } from '../../core';

/** One thing that happens to the viewer or to the network. Each ends before the next begins. */
export type SoakAction =
  | { kind: 'flap' | 'blackhole' | 'fade'; path: number; forMs: number }
  /** Every path is blackholed for longer than the buffer lasts, so that playback stalls. */
  | { kind: 'blackout'; forMs: number }
  | { kind: 'pause'; forMs: number }
  /** Target position as a share of the film, 0 to 1. */
  | { kind: 'seek'; to: number }
  /** The player page is loaded again: a new session with a new log. */
  | { kind: 'reload' };

export interface TimedAction {
  /** Quiet time before the action. */
  afterMs: number;
  action: SoakAction;
}

/** Relative frequency of each kind. Flapping networks are the purpose of the run. */
const WEIGHTS: readonly (readonly [Exclude<SoakAction['kind'], 'reload'>, number])[] = [
  ['flap', 8],
  ['blackhole', 4],
  ['fade', 4],
  ['blackout', 1],
  ['pause', 2],
  ['seek', 4],
];

/** One agent then serves several pages in a run of half an hour. */
export const RELOAD_EVERY_MS = 8 * 60_000;
/** Quiet times and outages, after walks with a phone: outages of seconds, seldom more than half a minute. */
const QUIET_MS = [4_000, 20_000] as const;
const OUTAGE_MS = [1_000, 12_000] as const;
/** More than the buffer of 10 s that the soak plays with. */
const BLACKOUT_MS = [14_000, 22_000] as const;
/** Seeks stay away from the end of the film, which would end the session. */
const SEEK_SHARES = [0.02, 0.8] as const;

const between = (random: Random, [low, high]: readonly [number, number]): number =>
  low + (high - low) * random();

function pickKind(random: Random): Exclude<SoakAction['kind'], 'reload'> {
  let left = random() * WEIGHTS.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [kind, weight] of WEIGHTS) {
    left -= weight;
    if (left < 0) return kind;
  }
  return 'flap';
}

function createAction(random: Random, paths: number): SoakAction {
  const kind = pickKind(random);
  switch (kind) {
    case 'seek':
      return { kind, to: between(random, SEEK_SHARES) };
    case 'blackout':
      return { kind, forMs: between(random, BLACKOUT_MS) };
    case 'pause':
      return { kind, forMs: between(random, OUTAGE_MS) };
    default:
      return { kind, path: Math.floor(random() * paths), forMs: between(random, OUTAGE_MS) };
  }
}

/**
 * An endless, seeded sequence of actions. The page is reloaded every {@link RELOAD_EVERY_MS} until
 * `reloadUntilMs` and never again, so that the last page lives long enough to show what grows in it.
 */
export function* soakActions(
  random: Random,
  paths: number,
  reloadUntilMs: number,
): Generator<TimedAction, never> {
  let nextReloadMs = RELOAD_EVERY_MS;
  for (let nowMs = 0; ;) {
    const afterMs = between(random, QUIET_MS);
    nowMs += afterMs;
    const isReload = nowMs >= nextReloadMs && nowMs < reloadUntilMs;
    const action: SoakAction = isReload ? { kind: 'reload' } : createAction(random, paths);
    if (isReload) nextReloadMs = nowMs + RELOAD_EVERY_MS;
    nowMs += 'forMs' in action ? action.forMs : 0;
    yield { afterMs, action };
  }
}
