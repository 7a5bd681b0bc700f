import { clamp } from '../../core';
import type { FlightTrack } from '../flight-track';
import { isExcluded, type SeenObject } from '../seen';
import { assign, cancel, type ChunkPlan, type Worker } from '../plan';
import type { CommonFinishConfig } from './config';
import { givenUp } from './probe';

/** The last probe of a network by an object that another network fetches whole. */
export interface WholeProbe {
  networkId: string;
  sentMs: number;
  /** Time until the next one. */
  waitMs: number;
  /** The network's rate before it. */
  rateBps: number;
}

/** A wait doubles up to this one, unless the probe shows a faster network. Chosen; no measurement. */
const MAX_WAIT_MS = 64_000;
/** A probe after which the rate is this multiple of the one before is repeated soon: the estimate follows step by step. */
const FASTER = 1.5;

/** A probe has no more bytes than this: they come twice. Chosen; no measurement. */
const MAX_BYTES = 1_000_000;
/**
 * While the object grows, a probe is a small one. Where the one before showed a faster network, it takes up to this share of the
 * expected bytes, and this multiple of what its own network brings in the time of a chunk: a slow one is not busy with it for long.
 * Chosen; no measurement.
 */
const GROWING = { share: 0.25, faster: 4 } as const;

/** True for a request that measures a network by an object that another one fetches: its bytes are not expected. */
export const isMeasurement = (
  { purpose }: Pick<FlightTrack, 'purpose'>,
  { ranges, flights }: SeenObject,
): boolean => purpose === 'probe' && !ranges && flights.some((one) => one.purpose !== 'probe');

/**
 * Where the server has no ranges, only the network that completes an object first is asked. So an idle one also requests an object
 * that another one is receiving, and ends the answer after a chunk. Nothing waits for it. The time between two such requests
 * doubles while the network stays as slow as it was.
 */
export function probeWhole(
  plan: ChunkPlan<CommonFinishConfig>,
  before: readonly WholeProbe[],
): WholeProbe[] {
  return plan.workers.flatMap((worker) => {
    const last = before.find(({ networkId }) => networkId === worker.networkId);
    const known = last === undefined ? [] : [last];
    if (worker.flights.some(({ purpose }) => purpose !== 'probe')) return [];
    // The connection of a silent one waits for a timeout that doubles: the next probe has a fresh one.
    const silent = givenUp(plan, worker);
    const isRising = last !== undefined && worker.rateBps >= FASTER * last.rateBps;
    const waitMs = last === undefined || isRising ? plan.seen.config.probeMs : last.waitMs;
    const bytesFor = (one: SeenObject): number => bytesOf(plan, worker, one, isRising);
    const sinceMs = plan.seen.nowMs - (last?.sentMs ?? worker.track.byteMs);
    const isDue = sinceMs >= waitMs || silent.length > 0;
    const isIdle = worker.requests === silent.length && worker.freeRequests > 0;
    const isFree = !worker.costly && worker.allowanceBytes === Infinity;
    const object = plan.seen.objects
      .filter((one) => isTarget(plan, worker, one, silent, bytesFor(one)))
      .at(-1);
    if (!isDue || !isIdle || !isFree || object === undefined) return known;
    for (const flight of silent) cancel(plan, flight, `no byte from ${worker.networkId}`);
    const reason = `measures ${worker.networkId}: its rate is out of date`;
    assign(plan, worker, {
      object,
      start: 0,
      end: bytesFor(object),
      purpose: 'probe',
      reason,
    });
    const { networkId, rateBps } = worker;
    const nextMs = silent.length > 0 ? waitMs : Math.min(MAX_WAIT_MS, 2 * waitMs);
    return [{ networkId, sentMs: plan.seen.nowMs, waitMs: nextMs, rateBps }];
  });
}

/** True for a whole object that another network is receiving, and that is large enough to measure this one. */
function isTarget(
  plan: ChunkPlan<CommonFinishConfig>,
  worker: Worker,
  object: SeenObject,
  silent: readonly FlightTrack[],
  bytes: number,
): boolean {
  const { objectId, ranges, totalBytes: total } = object;
  const ids = silent.map(({ chunkId }) => chunkId);
  const flights = object.flights.filter(({ chunkId }) => !ids.includes(chunkId));
  const isLarge =
    total === undefined ? object.grownAtMs !== undefined : total >= plan.seen.config.probeBytes;
  if (ranges || !isLarge) return false;
  if (isExcluded(object, worker.networkId) || flights.length !== 1) return false;
  // While the server is writing it, the bytes that another network has brought are there.
  const leastBytes = total === undefined ? bytes : 1;
  return plan.counted.some((one) => one.objectId === objectId && one.receivedBytes >= leastBytes);
}

/** The bytes that the object's network delivers in the time of a chunk; fewer while it grows. */
function bytesOf(
  { workers, seen }: ChunkPlan<CommonFinishConfig>,
  worker: Worker,
  object: SeenObject,
  isRising: boolean,
): number {
  const carrier = workers.find(({ networkId }) => networkId === object.flights[0]?.networkId);
  const { chunkMs, probeBytes } = seen.config;
  const bytes = Math.min(MAX_BYTES, ((carrier?.rateBps ?? 0) * chunkMs) / 8000);
  const wanted = Math.round(Math.max(probeBytes, bytes));
  const { totalBytes, expectedBytes = 0 } = object;
  if (totalBytes !== undefined) return Math.min(totalBytes, wanted);
  if (!isRising) return probeBytes;
  const ownBytes = (GROWING.faster * worker.rateBps * chunkMs) / 8000;
  return Math.round(clamp(Math.min(GROWING.share * expectedBytes, ownBytes), probeBytes, wanted));
}
