import type { PathId } from './path';
import { emptyWindow, pushWindow, windowMin, type SlidingWindow } from './sliding-window';

/**
 * Reinjected duplicates stay in the sum of the subflows for ever: the minimum excess over this time counts as duplicates,
 * the rest as out-of-order bytes. Example: 10 s, in 20 values of half a second.
 */
const DUPLICATE_WINDOW = { maxAgeMs: 10_000, maxCount: 20 };

/**
 * A path that alone brings this much in order follows no gap: what it seems to hold out of order are duplicates. Example:
 * 64 kB, twice what Linux reinjects in a retransmission period (`__mptcp_retrans`).
 */
const IN_ORDER_RUN_BYTES = 64_000;

/** A path that holds less than this share of the others' out-of-order bytes may have the missing one. Example: 0.1. */
export const NEXT_TO_NONE = 0.1;

interface Interval {
  startMs: number;
  endMs: number;
  continuous: boolean;
}

export const sumOf = (counts: Iterable<number>): number => {
  let sum = 0;
  for (const count of counts) sum += count;
  return sum;
};

/**
 * Bytes of a connection that wait for an earlier one.
 * @param received sum of the subflows minus the bytes in order
 * @param known its excess so far; undefined for a new connection
 */
export function outOfOrderBytesOf(
  received: number,
  { startMs, endMs, continuous }: Interval,
  known: SlidingWindow | undefined,
): { outOfOrderBytes: number; excess: SlidingWindow } {
  const raw = Math.max(0, received);
  let excess = known ?? emptyWindow;
  // It began under observation: no bytes are duplicates yet.
  if (!known && continuous) excess = pushWindow(excess, startMs, 0, DUPLICATE_WINDOW);
  const newestMs = excess.atMs.at(-1);
  const least = windowMin(excess) ?? 0;
  const outOfOrderBytes = Math.max(0, raw - Math.min(least, raw));
  const { maxAgeMs, maxCount } = DUPLICATE_WINDOW;
  const isDue = newestMs === undefined || endMs - newestMs >= maxAgeMs / maxCount;
  if (isDue || raw < least) excess = pushWindow(excess, endMs, raw, DUPLICATE_WINDOW);
  return { outOfOrderBytes, excess };
}

/**
 * Bytes that came in order without a pause from the one path that holds all out-of-order bytes.
 * @param run until the last interval
 * @param brought bytes of this interval by path
 * @param delivered bytes of this interval in order
 */
export function inOrderRun(
  run: number,
  brought: ReadonlyMap<PathId, number>,
  delivered: number,
  outOfOrder: ReadonlyMap<PathId, number> = new Map(),
): number {
  const [first, ...others] = [...brought].filter(([, bytes]) => bytes > 0);
  if (first === undefined || others.length > 0) return 0;
  const [id, bytes] = first;
  const holdsAll = [...outOfOrder.keys()].every((one) => one === id);
  return holdsAll && delivered >= bytes ? run + bytes : 0;
}

/** The excess of a connection whose bytes are all in order after such a run. Undefined if the run is too short to say so. */
export function excessAfterRun(
  run: number,
  received: number,
  endMs: number,
): SlidingWindow | undefined {
  if (run < IN_ORDER_RUN_BYTES) return undefined;
  return pushWindow(emptyWindow, endMs, Math.max(0, received), DUPLICATE_WINDOW);
}

/**
 * Assigns a connection's out-of-order bytes to the paths that delivered them. The bytes of the path with the
 * missing byte are in order as soon as they arrive. So bytes are released first from the path that holds least.
 */
export function attributeOutOfOrder(
  known: ReadonlyMap<PathId, number> | undefined,
  brought: ReadonlyMap<PathId, number>,
  outOfOrderBytes: number,
): ReadonlyMap<PathId, number> {
  const outOfOrder = new Map(known);
  for (const [id, bytes] of brought) outOfOrder.set(id, (outOfOrder.get(id) ?? 0) + bytes);
  let released = -outOfOrderBytes;
  for (const bytes of outOfOrder.values()) released += bytes;
  for (const [id, bytes] of [...outOfOrder].sort((a, b) => a[1] - b[1])) {
    const given = Math.min(bytes, Math.max(0, released));
    released -= given;
    if (bytes > given) outOfOrder.set(id, bytes - given);
    else outOfOrder.delete(id);
  }
  return outOfOrder;
}
