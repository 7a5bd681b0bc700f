import type { CommonFinishConfig } from './config';
import { ewmaMean, formatBytes } from '../../core';
import { totalBytes } from '../byte-ranges';
import { GUESS_MARGIN, type SeenObject } from '../seen';
import type { ByteRange } from '../types';
import { commonFinishMs } from '../water-fill';
import { entitledBytes } from './costly';
import { owesFirst } from './first-object';
import { isAptest, restStart } from './grown';
import {
  finishOf,
  missingOf,
  timeFor,
  workersFor,
  type Piece,
  type ChunkPlan,
  type Worker,
} from '../plan';

/** A missing range that is longer than a chunk by less than this factor is not cut. */
const UNCUT_SHARE = 1.5;

/** The next request of a network: a range of the first object to which it can add bytes in time. */
export function nextPiece(plan: ChunkPlan<CommonFinishConfig>, worker: Worker): Piece | undefined {
  for (const object of plan.seen.objects) {
    const able = workersFor(plan, object);
    if (!able.includes(worker) || owesFirst(plan, worker, object)) continue;
    const entitled = entitledBytes(plan, worker, object);
    if (entitled <= 0) continue;
    // Its server holds it back: a second request for it takes no other object's connection.
    if (worker.freeRequests < 2 && object.flights.some(({ held }) => held === true)) continue;
    const piece = pieceOf(plan, worker, object, able, entitled);
    if (piece !== undefined) return piece;
  }
  return undefined;
}

function pieceOf(
  plan: ChunkPlan<CommonFinishConfig>,
  worker: Worker,
  object: SeenObject,
  able: readonly Worker[],
  entitled: number,
): Piece | undefined {
  const isAsked = plan.counted.some(({ objectId }) => objectId === object.objectId);
  const from = { object, start: 0, purpose: 'media' as const };
  if (!object.ranges) {
    const bytes = object.totalBytes ?? leastChunkBytes(able);
    const isHere = totalBytes(object.received) >= (object.totalBytes ?? Infinity);
    // The object cannot be fetched in parts: if any byte of it is worth the price, all of them are requested.
    const isAffordable = worker.allowanceBytes >= bytes || worker.allowanceBytes === Infinity;
    const isChosen =
      object.grownAtMs === undefined
        ? isFirst(asGoodAsOthers(worker, able), able, bytes)
        : isAptest(plan, object, worker, able);
    if (isAsked || isHere || !isAffordable || !isChosen) return undefined;
    // The answer before was of a network that is silent or lost.
    const start = restStart(plan, object);
    return { ...from, start, end: null, reason: 'the server sends whole objects only' };
  }
  if (object.totalBytes === undefined) {
    if (isAsked || !isFirst(worker, able, leastChunkBytes(able))) return undefined;
    const end = Math.floor(Math.min(worker.chunkBytes, entitled));
    return { ...from, end, reason: 'the first bytes, which reveal its length' };
  }
  const missing = missingOf(plan, object);
  const bytes = totalBytes(missing);
  if (bytes === 0) return undefined;
  const { minChunkBytes } = plan.seen.config;
  const least = Math.min(bytes, minChunkBytes);
  const part = shareOf(plan, worker, object, able, bytes);
  if (part < least && !isFirst(worker, able, least)) return undefined;
  const share = Math.max(part, least);
  const size = Math.floor(Math.min(sizeOf(worker.chunkBytes, share, bytes), entitled));
  const range = place(missing, size, aheadBytes(worker, able, size), minChunkBytes);
  if (range === undefined) return undefined;
  const isGuessedEnd = object.isLengthGuessed && range.end === object.totalBytes;
  // A part of the guess may be all that the reader's window permits: then the server does not cut the chunk.
  const furthest = Math.min(GUESS_MARGIN * range.end, range.end + worker.chunkBytes);
  const end = isGuessedEnd ? Math.ceil(furthest) : range.end;
  const length = formatBytes(end - range.start);
  return { ...from, start: range.start, end, reason: `${length}, complete with the others' share` };
}

/** Bytes that a network delivers until the object is complete, if all networks share the missing bytes. */
function shareOf(
  plan: ChunkPlan<CommonFinishConfig>,
  worker: Worker,
  object: SeenObject,
  able: readonly Worker[],
  bytes: number,
): number {
  if (able.length === 1) return bytes;
  const paying = able.filter((one) => one === worker || !one.costly);
  const inFlight = plan.counted.filter(({ objectId }) => objectId === object.objectId);
  // The object is not complete before the requests in flight end. Until then more bytes cost no time.
  const finishMs = Math.max(
    commonFinishMs(paying, bytes),
    ...inFlight.map((flight) => finishOf(plan, flight)),
  );
  return (worker.rateBps * Math.max(0, finishMs - worker.readyMs)) / 8000;
}

function sizeOf(chunkBytes: number, share: number, missing: number): number {
  const size = Math.min(chunkBytes, share);
  return missing <= UNCUT_SHARE * size && missing <= share ? missing : size;
}

/** Bytes that faster networks deliver in order before `size` bytes of this network have arrived. */
function aheadBytes(worker: Worker, able: readonly Worker[], size: number): number {
  const finishMs = timeFor(worker, size);
  return able
    .filter((one) => one.rateBps > worker.rateBps && !one.costly)
    .reduce((sum, one) => sum + (one.rateBps * Math.max(0, finishMs - one.readyMs)) / 8000, 0);
}

/**
 * A missing range of `size` bytes behind the first `ahead` missing ones, if there are that many. So the bytes of
 * fast networks do not wait for a slow network's chunk. No gap smaller than `minGap` remains.
 */
function place(
  missing: readonly ByteRange[],
  size: number,
  ahead: number,
  minGap: number,
): ByteRange | undefined {
  if (size < 1) return undefined;
  let skip = Math.max(0, Math.min(ahead, totalBytes(missing) - size));
  const range = missing.find(({ start, end }, index) => {
    const isLast = index === missing.length - 1;
    if (isLast || skip < end - start) return true;
    skip -= end - start;
    return false;
  });
  if (range === undefined) return undefined;
  const latest = Math.min(range.start + Math.floor(skip), range.end - size);
  const start = latest - range.start < minGap ? range.start : latest;
  const isRest = range.end - start <= Math.max(UNCUT_SHARE * size, size + minGap);
  return { start, end: isRest ? range.end : start + size };
}

/** The measure for an object of unknown length. With a measure of its own each network may wait for another one. */
function leastChunkBytes(able: readonly Worker[]): number {
  return Math.min(...able.map(({ chunkBytes }) => chunkBytes));
}

/**
 * A network whose rate nobody knows may be as fast as the others. Without this a fast network is never asked for a whole object
 * once a slower one has been measured.
 */
function asGoodAsOthers(worker: Worker, able: readonly Worker[]): Worker {
  if (ewmaMean(worker.track.rate) !== undefined) return worker;
  return { ...worker, rateBps: Math.max(...able.map(({ rateBps }) => rateBps)) };
}

/** True if no other network would complete this many bytes earlier. */
function isFirst(worker: Worker, able: readonly Worker[], bytes: number): boolean {
  return able.every((one) => one.costly || timeFor(one, bytes) >= timeFor(worker, bytes));
}
