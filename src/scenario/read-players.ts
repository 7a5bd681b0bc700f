import { isOwnRule, POLICY_NAMES } from '../core';
import type { PlayerFormat } from './format-players';
import { notKnown } from './near-name';
import { SCENARIO_ABR_NAMES } from './abr-names';
import { checkPlayer } from './player-limits';
import type { Problems, ScenarioPath } from './problems';
import {
  carriageName,
  carriagesOver,
  EACH_PATH,
  isPolicy,
  rangeCarriage,
  RANGE_NAMES,
} from './carriages';
import { given } from './read-link';
import type { PlayerSpec } from './types';

/** Shorthands in lists of players. */
const OURS = 'multipath@ranges';
const OURS_OVER = /^ours@/;
/** Upper bound of the list after `each-path` is expanded. */
const MAX_PLAYERS = 100;

/** The part of a scenario that its players refer to. */
export interface PlayersNetwork {
  pathIds: readonly string[];
  /** The scenario names paths that cost. */
  isMetered: boolean;
}

interface Wanted {
  path: ScenarioPath;
  written: Exclude<PlayerFormat, string>;
  overPath: ScenarioPath;
}

/** A player with its shorthand `ours` written out. */
export function longPlayerName(text: string): string {
  return text === 'ours' ? OURS : text.replace(OURS_OVER, 'multipath@');
}

function fromText(text: string, path: ScenarioPath, problems: Problems): Wanted | undefined {
  const [abr = '', over, ...more] = longPlayerName(text).split('@');
  const known = SCENARIO_ABR_NAMES.find((name) => name === abr);
  if (known === undefined) {
    problems.add(path, notKnown(abr, 'an adaptation rule', ['ours', ...SCENARIO_ABR_NAMES]));
    return undefined;
  }
  if (over === undefined || more.length > 0) {
    problems.add(path, `expected ${abr}@OVER, such as ${abr}@mptcp, not "${text}"`);
    return undefined;
  }
  return { path, overPath: path, written: { abr: known, over, app: 'browser' } };
}

/** Settings of a policy need one. */
function defaultOver({ abr, policyConfig }: Wanted['written']): string {
  if (!isOwnRule(abr)) return 'mptcp';
  return policyConfig === undefined ? 'ranges' : 'model';
}

function expand(
  { written, path, overPath }: Wanted,
  { pathIds, isMetered }: PlayersNetwork,
  problems: Problems,
): PlayerSpec[] {
  const { abr, as, app, correction, bufferTarget, policyConfig } = written;
  const over = written.over ?? defaultOver(written);
  const found = carriagesOver(over, pathIds);
  if (found === undefined) {
    const allowed = ['mptcp', 'tcp', EACH_PATH, ...pathIds, ...POLICY_NAMES, ...RANGE_NAMES];
    problems.add(overPath, notKnown(over, 'something a player can go over', allowed));
    return [];
  }
  if (as !== undefined && found.length > 1) {
    problems.add(
      [...path, 'as'],
      'several players would have this name: leave it out, or name one path',
    );
  }
  if (policyConfig !== undefined && found[0]?.kind !== 'policy') {
    problems.add([...path, 'policyConfig'], `"${over}" is not a policy and has no settings`);
  }
  return found.map((carriage) => {
    const player: PlayerSpec = {
      id: as ?? `${abr}@${carriageName(carriage)}`,
      app,
      abr,
      carriage,
      correction: correction ?? isOwnRule(abr),
      ...given({ bufferTargetMs: bufferTarget, policyConfig }),
    };
    checkPlayer(player, { path, overPath }, isMetered, problems);
    return player;
  });
}

/** The list of single players: shorthands read, `each-path` expanded. */
export function playersFrom(
  written: readonly PlayerFormat[],
  at: ScenarioPath,
  network: PlayersNetwork,
  problems: Problems,
): PlayerSpec[] {
  const players = new Map<string, PlayerSpec>();
  written.forEach((player, index) => {
    const path = [...at, index];
    const wanted =
      typeof player === 'string'
        ? fromText(player, path, problems)
        : { path, overPath: [...path, 'over'], written: player };
    if (wanted === undefined) return;
    for (const spec of expand(wanted, network, problems)) {
      if (players.has(spec.id)) {
        problems.add(path, `there is a player ${spec.id} already: name one with as: NAME`);
      }
      players.set(spec.id, spec);
    }
  });
  if (players.size > MAX_PLAYERS) {
    problems.add(at, `${players.size} players are more than ${MAX_PLAYERS}`);
  }
  return [...players.values()];
}

/** Path names must differ from the other carriages that a player may name. */
export function checkPathNames(
  pathIds: readonly string[],
  at: ScenarioPath,
  problems: Problems,
): void {
  for (const id of pathIds) {
    if (id === 'mptcp' || id === 'tcp' || id === EACH_PATH || isPolicy(id) || rangeCarriage(id)) {
      problems.add(
        [...at, id],
        `a path cannot be called ${id}: players would not know what is meant`,
      );
    }
  }
}
