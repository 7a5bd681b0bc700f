import { POLICY_NAMES } from '../core';
import type { PlayerOver } from './types';

/** Names of the chunk schedulers of `src/chunks` that a player may use; `common-finish` is ours. */
export const CHUNK_SCHEDULER_NAMES = [
  'common-finish',
  'shortest-rtt',
  'round-robin',
  'earliest-completion',
  'gr-sty',
  'tp-sty',
  'tr-sty',
  'path-use-decision',
] as const;

const RANGES = 'ranges';

/** Byte ranges over every network: `ranges`, or `ranges-NAME` with a chunk scheduler. */
export const RANGE_NAMES: readonly string[] = [
  RANGES,
  ...CHUNK_SCHEDULER_NAMES.map((name) => `${RANGES}-${name}`),
];

/** Undefined where `over` names no carriage of byte ranges. */
export function rangeCarriage(over: string): Extract<PlayerOver, { kind: 'ranges' }> | undefined {
  if (!RANGE_NAMES.includes(over)) return undefined;
  const scheduler = over.slice(RANGES.length + 1);
  return scheduler === '' ? { kind: 'ranges' } : { kind: 'ranges', scheduler };
}

/** A player for each path. */
export const EACH_PATH = 'each-path';

export const isPolicy = (name: string): boolean =>
  (POLICY_NAMES as readonly string[]).includes(name);

/** The carriages of `over` in `RULE@OVER`; several for `each-path`. Undefined for an unknown name. */
export function carriagesOver(over: string, pathIds: readonly string[]): PlayerOver[] | undefined {
  if (over === 'mptcp' || over === 'tcp') return [{ kind: over }];
  if (over === EACH_PATH) return pathIds.map((id) => ({ kind: 'path', path: id }));
  if (pathIds.includes(over)) return [{ kind: 'path', path: over }];
  const ranges = rangeCarriage(over);
  if (ranges !== undefined) return [ranges];
  return isPolicy(over) ? [{ kind: 'policy', policy: over }] : undefined;
}

/** A carriage as lists of players write it. */
export function carriageName(carriage: PlayerOver): string {
  if (carriage.kind === 'path') return carriage.path;
  if (carriage.kind === 'policy') return carriage.policy;
  if (carriage.kind !== 'ranges' || carriage.scheduler === undefined) return carriage.kind;
  return `${RANGES}-${carriage.scheduler}`;
}
