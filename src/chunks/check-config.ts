import type { ChunkLimits } from './config';
import { ChunkConfigError } from './types';

/**
 * The defaults, overridden by the given settings.
 * @throws ChunkConfigError naming the setting and its permitted range
 */
export function checkConfig<Config extends object>(
  scheduler: string,
  defaults: Config,
  limits: ChunkLimits<Config>,
  given: Partial<Config>,
): Config {
  const ranges = new Map(Object.entries<readonly [number, number]>(limits));
  const set: Record<string, unknown> = {};
  for (const [key, value] of Object.entries<unknown>(given as Record<string, unknown>)) {
    const range = ranges.get(key);
    if (range === undefined) {
      const settings = [...ranges.keys()].join(', ');
      throw new ChunkConfigError(`${scheduler}: unknown setting "${key}"; there are: ${settings}`);
    }
    if (value === undefined) continue;
    const [low, high] = range;
    if (typeof value !== 'number' || !(value >= low && value <= high)) {
      throw new ChunkConfigError(
        `${scheduler}: ${key} must be a number from ${low} to ${high}, got ${JSON.stringify(value)}`,
      );
    }
    set[key] = value;
  }
  return { ...defaults, ...set };
}
