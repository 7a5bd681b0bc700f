import { isV6 } from '../core';

/** A unique local address (RFC 4193): it reaches no server outside of its own network. */
const isUniqueLocal = (address: string): boolean => /^f[cd][\da-f]{2}:/i.test(address);

/**
 * A network has many IPv6 addresses. The plans take one of each network and family: the one in use first, then a
 * global one.
 */
export function onePerFamily<Path extends { network: string; address: string }>(
  paths: readonly Path[],
  isUsed: (address: string) => boolean,
): Path[] {
  const chosen = new Map<string, Path>();
  const rank = ({ address }: Path): number =>
    isUsed(address) ? 2 : isUniqueLocal(address) ? 0 : 1;
  for (const path of paths) {
    const key = `${path.network} ${isV6(path.address) ? 6 : 4}`;
    const before = chosen.get(key);
    if (!before || rank(path) > rank(before)) chosen.set(key, path);
  }
  return [...chosen.values()];
}
