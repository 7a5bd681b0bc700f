import { findMptcpWrapper, systemMptcpProbe } from '../transport';

/**
 * Environment under which a player's sockets are MPTCP, or an empty one with a word to the user where that
 * cannot be: a stream over one path beats none.
 */
export function mptcpEnv(
  tell: (warning: string) => void,
  probe = systemMptcpProbe,
): Record<string, string> {
  const found = findMptcpWrapper(probe);
  if (found.ok) return { LD_PRELOAD: found.library };
  tell(`playing over one path: ${found.reason}`);
  return {};
}
