import type { ObservedPath } from './observation';

/** Largest safe rate first; then expected rate, shorter round trip, name. */
function byRate(a: ObservedPath, b: ObservedPath): number {
  return b.safeRateBps - a.safeRateBps || b.rateBps - a.rateBps || byRtt(a, b);
}

/** Shortest round trip first, unknown ones last, then by name: the order of a list never matters. */
export function byRtt(a: ObservedPath, b: ObservedPath): number {
  const longest = Number.MAX_VALUE;
  return (rttMs(a) ?? longest) - (rttMs(b) ?? longest) || (a.pathId < b.pathId ? -1 : 1);
}

/**
 * The receiver's round trip, else the shortest one: a path that has carried nothing has only that of its handshake.
 * Undefined if unknown.
 */
export function rttMs({ rcvRttMs, minRttMs }: ObservedPath): number | undefined {
  return rcvRttMs ?? minRttMs;
}

/** The best single path. Undefined if there is none. */
export function bestPath(paths: readonly ObservedPath[]): ObservedPath | undefined {
  return [...paths].sort(byRate)[0];
}

/** `wifi`, `wifi and lte`, `wifi, lte and eth0`: names for a reason. */
export function nameList(paths: readonly { pathId: string }[]): string {
  const names = paths.map(({ pathId }) => pathId);
  const last = names.pop() ?? 'no network';
  return names.length > 0 ? `${names.join(', ')} and ${last}` : last;
}
