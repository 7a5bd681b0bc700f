import { parseScenario, type Scenario, type ParseScenarioOptions } from '../scenario';
import type { ReadShipped } from './types';

/**
 * A scenario that ships with the program, by its folder and name, with changes.
 * @throws ScenarioError
 */
export function readShippedScenario(
  read: ReadShipped,
  folder: string,
  name: string,
  changes: Omit<ParseScenarioOptions, 'files'> = {},
): Scenario {
  const file = `${folder}/${name}.yaml`;
  return parseScenario(read(file), file, {
    ...changes,
    files: { resolve: (reference) => `${folder}/${reference}`, read },
  });
}

/** Order of a trial's items. Each trial starts with another one, as in a run of the lab. */
export function turnsOf<Item>(items: readonly Item[], trial: number): Item[] {
  const first = trial % items.length;
  return [...items.slice(first), ...items.slice(0, first)];
}
