import type { CarriageChoice } from '../../transport';
import { findMptcpWrapper, systemMptcpProbe } from '../../kernel';

/** Environment of a player for a carriage. `auto` goes without MPTCP where there is none: it is its second choice. */
export function carriageEnv(
  carriage: CarriageChoice,
  warn: (warning: string) => void,
  probe = systemMptcpProbe,
): Record<string, string> {
  if (carriage === 'mptcp') return mptcpEnv(warn, probe);
  return carriage === 'auto' ? mptcpEnv(() => undefined, probe) : {};
}

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
