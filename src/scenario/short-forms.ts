import { isRecord } from '../core';
import type { ScenarioPath } from './problems';
import { QUEUE_DISCIPLINES } from './queue-disciplines';
import { longPlayerName } from './read-players';

function longPlayer(text: string): Record<string, unknown> | undefined {
  const [abr, over, ...more] = longPlayerName(text).split('@');
  return over === undefined || more.length > 0 ? undefined : { abr, over };
}

const isDiscipline = (text: string): boolean =>
  (QUEUE_DISCIPLINES as readonly string[]).includes(text);

/**
 * The map for a value in its short form, such as `queue: pie`, so that one of its fields can be set beside it.
 * @param path place of the value
 * @returns undefined where the value has no such form
 */
export function longForm(path: ScenarioPath, value: unknown): Record<string, unknown> | undefined {
  if (value === undefined || value === null) return {};
  if (isRecord(value)) return value;
  if (typeof value !== 'string') return undefined;
  const [root] = path;
  if (path.length === 1 && root === 'media') return { kind: value };
  if (path.length === 2 && root === 'players') return longPlayer(value);
  if (path.length === 2 && root === 'metered') return { path: value };
  switch (path.at(-1)) {
    case 'queue':
      return isDiscipline(value) ? { discipline: value } : { limit: value };
    case 'trace':
      return { file: value };
    case 'jitter':
      return { spread: value };
    default:
      return undefined;
  }
}
