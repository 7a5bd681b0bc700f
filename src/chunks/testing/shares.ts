import { createChunkScheduler } from '../registry';
import { runWorld, type WorldNetwork, type WorldOptions, type WorldResult } from './world';

/**
 * Fetches objects of 750 kB back to back, with the next one announced.
 * @returns the share of bytes by network
 */
export function sharesOf(
  name: string,
  networks: readonly WorldNetwork[],
  options: Partial<WorldOptions> = {},
): { shares: Record<string, number>; result: WorldResult } {
  const objects = Array.from({ length: 40 }, (_, index) => ({
    objectId: `object-${index}`,
    bytes: 750_000,
    atMs: 0,
  }));
  const scheduler = createChunkScheduler(name);
  const result = runWorld({ scheduler, networks, objects, untilMs: 20_000, ...options });
  const all = [...result.networkBytes.values()].reduce((sum, bytes) => sum + bytes, 0);
  const shares = Object.fromEntries(
    [...result.networkBytes].map(([id, bytes]) => [id, bytes / Math.max(1, all)]),
  );
  return { shares, result };
}
