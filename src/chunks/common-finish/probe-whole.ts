import { clamp } from '../../core';
import type { FlightTrack } from '../flight-track';
import { isExcluded, type SeenObject } from '../seen';
import { assign, cancel, ownerOf, type ChunkPlan, type Worker } from '../plan';
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
    const sinceMs = plan.seen.nowMs - (last?.sentMs ?? worker.track.byteMs);
    const isDue = sinceMs >= waitMs || silent.length > 0;
    const isIdle = worker.requests === silent.length && worker.freeRequests > 0;
    const isFree = !worker.costly && worker.allowanceBytes === Infinity;
    if (!isDue || !isIdle || !isFree) return known;
    const target = plan.seen.objects
      .flatMap((object) => targetOf(plan, worker, object, { silent, isRising }) ?? [])
      .at(-1);
    if (target === undefined) return known;
    for (const flight of silent) cancel(plan, flight, `no byte from ${worker.networkId}`);
    const reason = `measures ${worker.networkId}: its rate is out of date`;
    assign(plan, worker, { ...target, start: 0, purpose: 'probe', reason });
    const { networkId, rateBps } = worker;
    const nextMs = silent.length > 0 ? waitMs : Math.min(MAX_WAIT_MS, 2 * waitMs);
    return [{ networkId, sentMs: plan.seen.nowMs, waitMs: nextMs, rateBps }];
  });
}

/** A whole object that another network is receiving, if it is large enough to measure this one, and how much of it to ask for. */
function targetOf(
  plan: ChunkPlan<CommonFinishConfig>,
  worker: Worker,
  object: SeenObject,
  { silent, isRising }: { silent: readonly FlightTrack[]; isRising: boolean },
): { object: SeenObject; end: number } | undefined {
  const { ranges, totalBytes, grownAtMs } = object;
  const [carrier, ...others] = object.flights.filter((flight) => !silent.includes(flight));
  if (ranges || isExcluded(object, worker.networkId)) return undefined;
  if (carrier === undefined || others.length > 0 || !plan.counted.includes(carrier)) {
    return undefined;
  }
  const isLarge =
    totalBytes === undefined ? grownAtMs !== undefined : totalBytes >= plan.seen.config.probeBytes;
  const end = bytesOf(plan, worker, object, { carrier, isRising });
  // While the server is writing it, the bytes that another network has brought are there.
  const leastBytes = totalBytes === undefined ? end : 1;
  return isLarge && carrier.receivedBytes >= leastBytes ? { object, end } : undefined;
}

/** The bytes that the object's network delivers in the time of a chunk; fewer while it grows. */
function bytesOf(
  plan: ChunkPlan<CommonFinishConfig>,
  { rateBps }: Worker,
  { totalBytes, expectedBytes = 0 }: SeenObject,
  { carrier, isRising }: { carrier: FlightTrack; isRising: boolean },
): number {
  const { chunkMs, probeBytes } = plan.seen.config;
  const inChunk = (bps = 0): number => (bps * chunkMs) / 8000;
  const wanted = Math.min(MAX_BYTES, inChunk(ownerOf(plan, carrier)?.rateBps));
  const most = Math.round(Math.max(probeBytes, wanted));
  if (totalBytes !== undefined) return Math.min(totalBytes, most);
  if (!isRising) return probeBytes;
  const bytes = Math.min(GROWING.share * expectedBytes, GROWING.faster * inChunk(rateBps));
  return Math.round(clamp(bytes, probeBytes, most));
}
