import { formatDuration } from '../../core';
import type { FlightTrack } from '../flight-track';
import { assign, workersFor, type ChunkPlan, type Worker } from '../plan';
import { isBehind, unwrittenBytes, type SeenObject } from '../seen';
import type { CommonFinishConfig } from './config';
import { entitledBytes } from './costly';
import { isMeasurement } from './probe-whole';

/** Least share of the guessed length that is expected to be missing: the object may be longer than its guess. */
const LEAST_REST = 0.1;
/** A growing object that is complete this long before its deadline is in time: rates vary. Chosen; no measurement. */
const MARGIN_MS = 500;

/**
 * True if a network is to be asked for an object that is still being written, and of which only one can be asked. Of those that
 * bring it in time, it is the one that begins first: so the network that still brings the end of the object before is left
 * alone. If none is in time, it is the one that ends first. That one brings the object before first, too: together both would
 * be late.
 */
export function isAptest(
  plan: ChunkPlan,
  object: SeenObject,
  worker: Worker,
  able: readonly Worker[],
): boolean {
  const { neededAtMs = plan.seen.nowMs } = object;
  const leftMs = neededAtMs - plan.seen.nowMs - MARGIN_MS;
  const busyMs = (one: Worker): number => earlierMs(plan, one, object);
  const endMs = (one: Worker): number => busyMs(one) + wholeMs(one, object);
  const paying = able.filter((one) => one === worker || !one.costly);
  const apt = paying.filter((one) => endMs(one) <= leftMs);
  const costMs = (one: Worker): number => (apt.length > 0 ? busyMs(one) + one.readyMs : endMs(one));
  const [best] = (apt.length > 0 ? apt : paying).sort(
    (a, b) => costMs(a) - costMs(b) || b.rateBps - a.rateBps,
  );
  return best === worker && busyMs(best) <= MARGIN_MS;
}

/** Time in which a network brings the segments before this one that it was asked for while they were being written. */
function earlierMs(
  { seen, counted }: ChunkPlan,
  { networkId, rateBps }: Worker,
  next: SeenObject,
): number {
  let bytes = 0;
  for (const flight of counted) {
    const object = seen.objects.find(({ objectId }) => objectId === flight.objectId);
    if (flight.networkId !== networkId || object?.grownAtMs === undefined) continue;
    // Audio is fetched beside video.
    const isEarlier = (object.neededAtMs ?? 0) < (next.neededAtMs ?? 0) - MARGIN_MS;
    const sizes = [wholeBytes(object), wholeBytes(next)] as const;
    const isOther = 2 * Math.min(...sizes) < Math.max(...sizes);
    if (isEarlier && !isOther && object.totalBytes === undefined)
      bytes += unwrittenBytes(flight, object);
  }
  return (bytes * 8000) / rateBps;
}

/**
 * Asks another network for an object that one answer brings too late, although its server has written more of it. Once it has
 * written all, the rest is enough.
 */
export function repeatGrown(plan: ChunkPlan<CommonFinishConfig>): void {
  const { nowMs, config } = plan.seen;
  for (const object of plan.seen.objects) {
    const [flight, ...others] = object.flights.filter((one) => !isMeasurement(one, object));
    if (flight === undefined || others.length > 0 || object.totalBytes !== undefined) continue;
    if (flight.receivedBytes === 0 || !isBehind(flight, object, nowMs)) continue;
    const finishMs = finishOf(plan, object, flight);
    if (nowMs + finishMs + config.safetyMs < (object.neededAtMs ?? nowMs)) continue;
    const start = isGrown(plan, object) ? (object.received[0]?.end ?? 0) : 0;
    const bytes = Math.max(LEAST_REST * wholeBytes(object), wholeBytes(object) - start);
    const growsMs = (object.grownAtMs ?? nowMs) - nowMs;
    const timeFor = ({ readyMs, rateBps }: Worker): number =>
      Math.max(growsMs, readyMs + (bytes * 8000) / rateBps);
    // Playback waits for it, so it needs no place behind later objects.
    const [thief] = workersFor(plan, object)
      .filter(({ networkId, freeRequests }) => networkId !== flight.networkId && freeRequests > 0)
      .filter((one) => entitledBytes(plan, one, object) >= bytes)
      .sort((a, b) => timeFor(a) - timeFor(b));
    if (thief === undefined) continue;
    const gainMs = finishMs - timeFor(thief);
    if (!(gainMs >= Math.max(config.stealGainMs, config.stealGain * finishMs))) continue;
    assign(plan, thief, {
      object,
      start,
      end: null,
      purpose: 'duplicate',
      duplicateOf: flight.chunkId,
      reason: `${flight.networkId} would take ${formatDuration(finishMs)} for the rest`,
    });
  }
}

/** True if the server has written all of an object whose first answer has no length. */
export const isGrown = ({ seen }: ChunkPlan, { grownAtMs, totalBytes }: SeenObject): boolean =>
  grownAtMs !== undefined && grownAtMs <= seen.nowMs && totalBytes === undefined;

/** Time until an answer ends, by the guess of its length: at its own pace while it grows, else at that of its network. */
function finishOf({ seen, workers }: ChunkPlan, object: SeenObject, flight: FlightTrack): number {
  const { progressMs, receivedBytes, sentMs } = flight;
  const bytes = Math.max(LEAST_REST * wholeBytes(object), unwrittenBytes(flight, object));
  if (flight.growing === true) return (bytes * (seen.nowMs - sentMs)) / receivedBytes;
  const owner = workers.find(({ networkId }) => networkId === flight.networkId);
  if (owner === undefined) return Infinity;
  return (bytes * 8000) / owner.rateBps + Math.max(0, seen.nowMs - progressMs - owner.rttMs);
}

const wholeBytes = ({ expectedBytes = 0 }: SeenObject): number => expectedBytes;

const wholeMs = ({ readyMs, rateBps }: Worker, object: SeenObject): number =>
  readyMs + (wholeBytes(object) * 8000) / rateBps;
