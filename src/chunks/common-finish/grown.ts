import { formatDuration } from '../../core';
import type { FlightTrack } from '../flight-track';
import { assign, ownerOf, timeFor, workersFor, type ChunkPlan, type Worker } from '../plan';
import { isBehind, unwrittenBytes, type SeenObject } from '../seen';
import type { CommonFinishConfig } from './config';
import { entitledBytes } from './costly';
import { isMeasurement } from './probe-whole';
import { isGain } from './steal';

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
  const rated = able
    .filter((one) => one === worker || !one.costly)
    .map((one) => {
      const busyMs = earlierMs(plan, one, object);
      return { one, busyMs, endMs: busyMs + timeFor(one, wholeBytes(object)) };
    });
  const apt = rated.filter(({ endMs }) => endMs <= leftMs);
  const [best] =
    apt.length > 0
      ? apt.sort((a, b) => a.busyMs + a.one.readyMs - (b.busyMs + b.one.readyMs) || faster(a, b))
      : rated.sort((a, b) => a.endMs - b.endMs || faster(a, b));
  return best?.one === worker && best.busyMs <= MARGIN_MS;
}

const faster = (a: { one: Worker }, b: { one: Worker }): number => b.one.rateBps - a.one.rateBps;

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
    const finishMs = ownRestMs(plan, object, flight);
    if (nowMs + finishMs + config.safetyMs < (object.neededAtMs ?? nowMs)) continue;
    const start = restStart(plan, object);
    const bytes = Math.max(LEAST_REST * wholeBytes(object), wholeBytes(object) - start);
    const growsMs = (object.grownAtMs ?? nowMs) - nowMs;
    const otherMs = (one: Worker): number => Math.max(growsMs, timeFor(one, bytes));
    // Playback waits for it, so it needs no place behind later objects.
    const [thief] = workersFor(plan, object)
      .filter(({ networkId, freeRequests }) => networkId !== flight.networkId && freeRequests > 0)
      .filter((one) => entitledBytes(plan, one, object) >= bytes)
      .sort((a, b) => otherMs(a) - otherMs(b));
    if (thief === undefined) continue;
    if (!isGain(config, finishMs, finishMs - otherMs(thief))) continue;
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

/** First byte to ask for of an object without ranges: the first missing one, once its server has written all of it; else 0. */
export function restStart({ seen }: ChunkPlan, object: SeenObject): number {
  const { grownAtMs = Infinity, received, totalBytes } = object;
  return grownAtMs <= seen.nowMs && totalBytes === undefined ? (received[0]?.end ?? 0) : 0;
}

/** Time until an answer ends, by the guess of its length: at its own pace while it grows, else at that of its network. */
function ownRestMs(plan: ChunkPlan, object: SeenObject, flight: FlightTrack): number {
  const { nowMs } = plan.seen;
  const { progressMs, receivedBytes, sentMs } = flight;
  const bytes = Math.max(LEAST_REST * wholeBytes(object), unwrittenBytes(flight, object));
  if (flight.growing === true) return (bytes * (nowMs - sentMs)) / receivedBytes;
  const owner = ownerOf(plan, flight);
  if (owner === undefined) return Infinity;
  return (bytes * 8000) / owner.rateBps + Math.max(0, nowMs - progressMs - owner.rttMs);
}

const wholeBytes = ({ expectedBytes = 0 }: SeenObject): number => expectedBytes;
