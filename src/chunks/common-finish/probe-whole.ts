import type { FlightTrack } from '../flight-track';
import { isExcluded, type ChunkRuleInput, type SeenObject } from '../seen';
import { assign, cancel, type ChunkPlan, type Worker } from '../plan';
import type { CommonFinishConfig } from './config';

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

/** True for a request that measures a network by an object that another one fetches: its bytes are not expected. */
export const isMeasurement = (
  { purpose }: Pick<FlightTrack, 'purpose'>,
  { ranges, flights }: SeenObject,
): boolean => purpose === 'probe' && !ranges && flights.some((one) => one.purpose !== 'probe');

/**
 * Where the server has no ranges, only the network that completes an object first is asked. So an idle one also requests an object
 * that another one is receiving, as long as it takes to measure it. Nothing waits for it. The time between two such requests
 * doubles while the network stays as slow as it was.
 */
export function probeWhole(
  plan: ChunkPlan<CommonFinishConfig>,
  before: readonly WholeProbe[],
): WholeProbe[] {
  cancelMeasured(plan);
  return plan.workers.flatMap((worker) => {
    const last = before.find(({ networkId }) => networkId === worker.networkId);
    const known = last === undefined ? [] : [last];
    if (worker.flights.some(({ purpose }) => purpose !== 'probe')) return [];
    const waitMs = waitOf(worker, last, plan.seen);
    const isDue = plan.seen.nowMs - (last?.sentMs ?? worker.track.byteMs) >= waitMs;
    const isIdle = worker.requests === 0 && worker.freeRequests > 0;
    const isFree = !worker.costly && worker.allowanceBytes === Infinity;
    const object = plan.seen.objects.filter((one) => isTarget(plan, worker, one)).at(-1);
    if (!isDue || !isIdle || !isFree || object === undefined) return known;
    const reason = `measures ${worker.networkId}: its rate is out of date`;
    assign(plan, worker, { object, start: 0, end: null, purpose: 'probe', reason });
    const { networkId, rateBps } = worker;
    const nextMs = Math.min(MAX_WAIT_MS, 2 * waitMs);
    return [{ networkId, sentMs: plan.seen.nowMs, waitMs: nextMs, rateBps }];
  });
}

function waitOf(
  { rateBps }: Worker,
  last: WholeProbe | undefined,
  { config }: ChunkRuleInput<CommonFinishConfig>,
): number {
  if (last === undefined || rateBps >= FASTER * last.rateBps) return config.probeMs;
  return last.waitMs;
}

/** True for a whole object that another network is receiving, and that is large enough to measure this one. */
function isTarget(
  plan: ChunkPlan<CommonFinishConfig>,
  worker: Worker,
  object: SeenObject,
): boolean {
  const { objectId, ranges, totalBytes: total, flights } = object;
  if (ranges || (total ?? 0) < plan.seen.config.probeBytes) return false;
  if (isExcluded(object, worker.networkId) || flights.length !== 1) return false;
  return plan.counted.some((one) => one.objectId === objectId && one.receivedBytes > 0);
}

/** Ends the probes that have lasted long enough: a chunk of the network that fetches the object. */
function cancelMeasured(plan: ChunkPlan<CommonFinishConfig>): void {
  for (const object of plan.seen.objects) {
    for (const flight of object.flights) {
      if (!isMeasurement(flight, object)) continue;
      if (flight.receivedBytes >= measuredBytes(plan, object))
        cancel(plan, flight, `${flight.networkId} is measured`);
    }
  }
}

/** The bytes that the object's network delivers in the time of a chunk. */
function measuredBytes(
  { workers, seen }: ChunkPlan<CommonFinishConfig>,
  object: SeenObject,
): number {
  const carrier = object.flights.find(({ purpose }) => purpose !== 'probe');
  const { rateBps = 0 } = workers.find(({ networkId }) => networkId === carrier?.networkId) ?? {};
  return Math.max(seen.config.probeBytes, (rateBps * seen.config.chunkMs) / 8000);
}
