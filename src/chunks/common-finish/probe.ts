import type { CommonFinishConfig } from './config';
import { restOf, type FlightTrack } from '../flight-track';
import { isExcluded, type SeenObject } from '../seen';
import type { ByteRange } from '../types';
import { entitledBytes } from './costly';
import {
  assign,
  cancel,
  isUsable,
  missingOf,
  workersFor,
  type ChunkPlan,
  type Worker,
} from '../plan';

/** A segment has at least this share of a guessed length. Chosen; no measurement. */
const SURE_SHARE = 0.5;

/**
 * Requests one small chunk a second over a faded network. While another network delivers, the chunk is of the bytes
 * needed last; otherwise it is of the first missing ones. A fresh connection sends it, because the old one waits
 * for a timeout that doubles (RFC 6298, section 5.5).
 */
export function probeFaded(
  plan: ChunkPlan<CommonFinishConfig>,
): { networkId: string; atMs: number }[] {
  const { nowMs, config } = plan.seen;
  const probed: { networkId: string; atMs: number }[] = [];
  for (const worker of plan.workers) {
    // A network too slow to take part is measured as well; otherwise its recovery would stay unknown.
    const isUnused = worker.requests === 0 && nowMs - worker.track.byteMs >= config.probeMs;
    if (nowMs < worker.track.probeMs || (isUsable(worker) && !isUnused)) continue;
    const target = findTarget(plan, worker);
    if (target === undefined) continue;
    for (const flight of givenUp(plan, worker)) {
      cancel(plan, flight, `no byte from ${worker.networkId}`);
    }
    if (worker.freeRequests < 1) continue;
    assign(plan, worker, {
      ...target,
      purpose: 'probe',
      reason: `probes ${worker.networkId}: its rate is out of date`,
    });
    probed.push({ networkId: worker.networkId, atMs: nowMs + config.probeMs });
  }
  return probed;
}

/** A probe may take this multiple of the time in which a usable network is answered. */
const PATIENCE = 2;

/**
 * The silent requests of a network that give way to a probe. If no network answers, the server may be slow: then the oldest
 * request stays.
 */
export function givenUp(plan: ChunkPlan<CommonFinishConfig>, worker: Worker): FlightTrack[] {
  const { nowMs, config } = plan.seen;
  const usable = plan.workers.filter(isUsable);
  // The server takes as long over every network.
  const answersMs = usable.map(({ track }) => track.responseMs ?? 0);
  const patienceMs = Math.max(config.probeMs, PATIENCE * Math.max(0, ...answersMs));
  const silent = worker.flights.filter(
    ({ chunkId, held, progressMs }) =>
      held !== true && !plan.cancelled.has(chunkId) && nowMs - progressMs >= patienceMs,
  );
  const isAlone = usable.length === 0;
  return isAlone ? silent.filter(({ chunkId }) => chunkId !== worker.flights[0]?.chunkId) : silent;
}

interface Target {
  object: SeenObject;
  start: number;
  end: number | null;
}

/** The range of a probe: of an object that no usable network can fetch, else of the object needed last. */
function findTarget(plan: ChunkPlan<CommonFinishConfig>, worker: Worker): Target | undefined {
  const objects = plan.seen.objects.filter((object) => !isExcluded(object, worker.networkId));
  const isServed = (object: SeenObject): boolean =>
    workersFor(plan, object).some((one) => one !== worker && entitledBytes(plan, one, object) > 0);
  const waiting = objects.filter((object) => !isServed(object));
  // One that was asked for in vain may wait for its server: another one shows whether the network is back.
  const rank = ({ flights, isWaiting }: SeenObject): number =>
    Number(isWaiting) + Number(flights.length > 0);
  for (const object of [...waiting].sort((a, b) => rank(a) - rank(b))) {
    const target = firstOf(plan, worker, object);
    if (target !== undefined) return target;
  }
  for (const object of objects.filter((one) => !waiting.includes(one)).reverse()) {
    const target = lastOf(plan, worker, object);
    if (target !== undefined) return target;
  }
  return undefined;
}

function probeBytes(
  plan: ChunkPlan<CommonFinishConfig>,
  worker: Worker,
  object: SeenObject,
): number {
  const entitled = entitledBytes(plan, worker, object);
  return Math.floor(Math.min(plan.seen.config.probeBytes, worker.allowanceBytes, entitled));
}

function firstOf(
  plan: ChunkPlan<CommonFinishConfig>,
  worker: Worker,
  object: SeenObject,
): Target | undefined {
  const size = probeBytes(plan, worker, object);
  if (size < 1) return undefined;
  if (!object.ranges) return { object, start: 0, end: null };
  if (object.totalBytes === undefined) return { object, start: 0, end: size };
  const range = openRanges(plan, object)[0];
  if (range === undefined) return undefined;
  return { object, start: range.start, end: Math.min(range.end, range.start + size) };
}

function lastOf(
  plan: ChunkPlan<CommonFinishConfig>,
  worker: Worker,
  object: SeenObject,
): Target | undefined {
  const size = probeBytes(plan, worker, object);
  if (size < 1 || !object.ranges) return undefined;
  // Behind the end of an object there are no bytes to measure with.
  const share = object.isLengthGuessed ? SURE_SHARE : 1;
  const surelyBytes = Math.floor(share * (object.totalBytes ?? 0));
  const range = openRanges(plan, object)
    .filter(({ start }) => start < surelyBytes)
    .at(-1);
  if (range === undefined) return undefined;
  const end = Math.min(range.end, surelyBytes);
  return { object, start: Math.max(range.start, end - size), end };
}

/** A range that no request fetches; else one in flight. In that case the probe costs bytes and no time. */
function openRanges(plan: ChunkPlan<CommonFinishConfig>, object: SeenObject): ByteRange[] {
  const missing = missingOf(plan, object);
  if (missing.length > 0 || object.totalBytes === undefined) return missing;
  return plan.counted
    .filter(({ objectId }) => objectId === object.objectId)
    .map((flight) => restOf(flight, object.totalBytes))
    .filter(({ start, end }) => end > start)
    .sort((a, b) => a.start - b.start);
}
