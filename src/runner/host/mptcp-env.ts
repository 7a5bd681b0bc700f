import type { CarriageChoice } from '../../transport';
import { findMptcpWrapper, systemMptcpProbe } from '../../kernel';

/** True if the player's own sockets may carry the stream. */
export const usesMptcp = (carriage: CarriageChoice): boolean =>
  carriage === 'auto' || carriage === 'mptcp';

/**
 * Returns the environment under which a player's sockets are MPTCP. If that is impossible, warns the user and
 * returns an empty one: a stream over one path is better than none.
 */
export function mptcpEnv(
  warn: (warning: string) => void,
  probe = systemMptcpProbe,
): Record<string, string> {
  const found = findMptcpWrapper(probe);
  if (found.ok) return { LD_PRELOAD: found.library };
  warn(`playing over one path: ${found.reason}`);
  return {};
}
