import { overlapBytes } from '../byte-ranges';
import { restOf } from '../flight-track';
import type { SeenObject } from '../seen';
import type { CommonFinishConfig } from './config';
import { entitledBytes } from './costly';
import { assign, missingOf, workersFor, type Plan } from '../plan';

/**
 * Requests the first missing bytes of a silent network over another one at once, in addition to its requests in
 * flight. In-order delivery waits for these bytes, and a place behind the other network's backlog would delay them
 * by a chunk's time.
 */
export function takeOver(plan: Plan<CommonFinishConfig>): void {
  for (const object of plan.seen.objects) {
    if (!object.ranges) continue;
    const owed = firstOwed(plan, object);
    if (owed === undefined) continue;
    const [worker] = workersFor(plan, object)
      .filter(({ freeRequests, requests, mostRequests }) => {
        return freeRequests > 0 && requests <= mostRequests;
      })
      .filter((one) => entitledBytes(plan, one, object) >= 1)
      .sort((a, b) => a.readyMs - b.readyMs);
    if (worker === undefined) return;
    const most = Math.min(worker.chunkBytes, entitledBytes(plan, worker, object));
    assign(plan, worker, {
      object,
      start: owed.start,
      end: Math.min(owed.end, owed.start + Math.floor(most)),
      purpose: 'duplicate',
      duplicateOf: owed.chunkId,
      reason: `${owed.networkId} is silent`,
    });
    return;
  }
}

interface Owed {
  chunkId: number;
  networkId: string;
  start: number;
  end: number;
}

/** The first missing range, if a request of a silent network was to deliver it. */
function firstOwed(plan: Plan<CommonFinishConfig>, object: SeenObject): Owed | undefined {
  const [first] = missingOf(plan, object);
  if (first === undefined) return undefined;
  for (const flight of object.flights) {
    if (plan.counted.includes(flight)) continue;
    const rest = restOf(flight, object.totalBytes);
    if (overlapBytes(rest, { start: first.start, end: first.start + 1 }) === 0) continue;
    const { chunkId, networkId } = flight;
    return { chunkId, networkId, start: first.start, end: Math.min(first.end, rest.end) };
  }
  return undefined;
}
