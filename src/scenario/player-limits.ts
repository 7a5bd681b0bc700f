import { isOwnRule } from '../core';
import type { Problems, ScenarioPath } from './problems';
import type { PlayerSpec } from './types';

/** Where a player stands in the file. */
interface PlayerPlace {
  path: ScenarioPath;
  overPath: ScenarioPath;
}

/** Shaka Player is a baseline: it knows neither this project's byte ranges nor its policies. */
function checkShaka({ carriage, app }: PlayerSpec, place: PlayerPlace, problems: Problems): void {
  if (carriage.kind === 'ranges') {
    problems.add(
      place.overPath,
      'Shaka fetches its media itself: let it play over mptcp, tcp or a path',
    );
  }
  if (carriage.kind === 'policy') {
    problems.add(
      place.overPath,
      'a path policy is part of our player: let Shaka play over mptcp, tcp or a path',
    );
  }
  if (app === 'electron') {
    problems.add([...place.path, 'app'], 'Shaka plays in the browser only: set app: browser');
  }
}

/** A trial passes few settings on to the desktop app. */
function checkElectron(
  player: PlayerSpec,
  { path, overPath }: PlayerPlace,
  isMetered: boolean,
  problems: Problems,
): void {
  const { carriage } = player;
  if (carriage.kind === 'ranges' && carriage.scheduler !== undefined) {
    problems.add(
      overPath,
      'the desktop app takes no chunk scheduler: set over: ranges, or app: browser',
    );
  }
  if (carriage.kind === 'policy') {
    problems.add(overPath, 'the desktop app takes no policy: set app: browser');
  }
  if (player.bufferTargetMs !== undefined) {
    problems.add(
      [...path, 'bufferTarget'],
      'the desktop app takes no buffer target: set app: browser',
    );
  }
  if (player.abr !== 'shaka' && !isOwnRule(player.abr) && !player.correction) {
    problems.add(
      [...path, 'correction'],
      'the desktop app always corrects: set correction: true, or app: browser',
    );
  }
  if (isMetered) {
    problems.add(
      [...path, 'app'],
      'the desktop app does not learn what is metered: set app: browser, or leave out metered',
    );
  }
}

/** Reports a combination of settings that no machine can play. */
export function checkPlayer(
  player: PlayerSpec,
  place: PlayerPlace,
  isMetered: boolean,
  problems: Problems,
): void {
  if (player.abr === 'shaka') checkShaka(player, place, problems);
  if (player.app === 'electron') checkElectron(player, place, isMetered, problems);
}
