import { overlapBytes } from '../byte-ranges';
import { restOf, type FlightTrack } from '../flight-track';
import type { SeenObject } from '../seen';
import type { CommonFinishConfig } from './config';
import { entitledBytes } from './costly';
import type { ByteRange } from '../types';
import { assign, missingOf, workersFor, type Piece, type ChunkPlan } from '../plan';

/**
 * Requests the first missing bytes of a silent or lost network over another one at once, in addition to its
 * requests in flight. In-order delivery waits for these bytes, and a place behind the other network's backlog would
 * delay them by a chunk's time.
 */
export function takeOver(plan: ChunkPlan<CommonFinishConfig>): void {
  for (const object of plan.seen.objects) {
    if (!object.ranges) continue;
    const owed = firstOwed(plan, object);
    if (owed === undefined) continue;
    const [worker] = workersFor(plan, object)
      .filter(({ freeRequests, requests, maxRequests }) => {
        return freeRequests > 0 && requests <= maxRequests;
      })
      .filter((one) => entitledBytes(plan, one, object) >= 1)
      .sort((a, b) => a.readyMs - b.readyMs);
    if (worker === undefined) return;
    const most = Math.min(worker.chunkBytes, entitledBytes(plan, worker, object));
    assign(plan, worker, {
      object,
      start: owed.start,
      end: Math.min(owed.end, owed.start + Math.floor(most)),
      ...owed.request,
    });
    return;
  }
}

interface Owed extends ByteRange {
  request: Pick<Piece, 'purpose' | 'duplicateOf' | 'reason'>;
}

/** The first missing range, if a request of a silent network was to deliver it, or a request that has just failed. */
function firstOwed(plan: ChunkPlan<CommonFinishConfig>, object: SeenObject): Owed | undefined {
  const [first] = missingOf(plan, object);
  if (first === undefined) return undefined;
  const { totalBytes } = object;
  const delivers = (flight: FlightTrack): boolean =>
    overlapBytes(restOf(flight, totalBytes), { start: first.start, end: first.start + 1 }) > 0;
  const silent = object.flights.find((one) => !plan.counted.includes(one) && delivers(one));
  if (silent !== undefined) {
    const { chunkId, networkId } = silent;
    const end = Math.min(first.end, restOf(silent, totalBytes).end);
    const reason = `${networkId} is silent`;
    return { ...first, end, request: { purpose: 'duplicate', duplicateOf: chunkId, reason } };
  }
  const failed = plan.seen.failed.find((one) => one.objectId === object.objectId && delivers(one));
  if (failed === undefined) return undefined;
  return { ...first, request: { purpose: 'media', reason: `${failed.networkId} failed` } };
}
