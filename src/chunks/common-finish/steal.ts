import type { CommonFinishConfig } from './config';
import { formatDuration } from '../../core';
import { totalBytes } from '../byte-ranges';
import { hasEnd, overlaps, restOf, type FlightTrack } from '../flight-track';
import { guessedBytes, isDue, type SeenObject } from '../seen';
import { commonFinishMs } from '../water-fill';
import { entitledBytes } from './costly';
import {
  assign,
  finishOf,
  missingOf,
  ownerOf,
  timeFor,
  workersFor,
  type ChunkPlan,
  type Worker,
} from '../plan';

/** Fewer bytes justify neither a request nor a wait. */
const MIN_BYTES = 4000;

/**
 * Wait for the first answer of all if it is a whole object: a segment that is still being written begins with its encoder's next
 * chunk. Chosen; no measurement.
 */
const WHOLE_PATIENCE_MS = 500;

interface Late {
  flight: FlightTrack;
  object: SeenObject;
  finishMs: number;
  /** Its network has delivered nothing yet, so nobody knows when it comes, and it alone is waited for. */
  isUntried: boolean;
}

/**
 * Requests a part of a late request's rest over another network as well. The part is sized so that both end at the
 * same time and few bytes arrive twice.
 * @param objects those whose requests count
 */
export function stealLate(
  plan: ChunkPlan<CommonFinishConfig>,
  objects: readonly SeenObject[] = plan.seen.objects,
): void {
  for (const late of lateFlights(plan, objects)) {
    const { object, flight } = late;
    const thieves = workersFor(plan, object)
      .filter(({ networkId, freeRequests, requests, maxRequests }) => {
        const isFree = freeRequests > 0 && requests < maxRequests;
        return isFree && networkId !== flight.networkId;
      })
      .sort((a, b) => a.readyMs - b.readyMs || b.rateBps - a.rateBps);
    const take = late.isUntried ? takeUntried : steal;
    for (const thief of thieves) if (take(plan, thief, late)) break;
  }
}

/** Flights that would be the last of their object to complete, and later than expected when they were sent. */
function lateFlights(plan: ChunkPlan<CommonFinishConfig>, objects: readonly SeenObject[]): Late[] {
  const { nowMs, config } = plan.seen;
  const late: Late[] = [];
  for (const object of objects) {
    const own = plan.counted
      .filter(({ objectId }) => objectId === object.objectId)
      .map((flight) => ({ flight, object, finishMs: finishOf(plan, flight) }));
    const missing = totalBytes(missingOf(plan, object));
    const sharedMs = missing > 0 ? commonFinishMs(workersFor(plan, object), missing) : 0;
    for (const one of own) {
      const { flight, finishMs } = one;
      const isCopied = own.some((other) => other !== one && overlaps(other.flight, flight, object));
      const isOnTime = nowMs + finishMs <= flight.forecastMs + config.stealGainMs;
      const isInTime = (object.neededAtMs ?? nowMs) - nowMs - config.safetyMs > finishMs;
      const holdsUp = finishMs > sharedMs + config.stealGainMs;
      const isIdle = plan.workers.some(({ requests }) => requests === 0);
      // Two answers of an object that was being written can only be joined whole (`grown`).
      const isBegun = flight.receivedBytes > 0 && object.totalBytes === undefined;
      const isShared = flight.chunkId < 0 || isBegun || isCopied;
      if (isShared) continue;
      const isWaitedFor = missing === 0 && (isIdle || isDue(object, nowMs));
      const isUntried = isWaitedFor && !hasDelivered(ownerOf(plan, flight));
      if (!isUntried && (isOnTime || !holdsUp)) continue;
      if (!isInTime || isIdle) late.push({ ...one, isUntried });
    }
  }
  return late.sort((a, b) => b.finishMs - a.finishMs);
}

/** False for a network that has delivered nothing yet. */
const hasDelivered = (worker: Worker | undefined): boolean => worker?.track.health !== 'untried';

function steal(plan: ChunkPlan<CommonFinishConfig>, thief: Worker, late: Late): boolean {
  const { flight, object, finishMs } = late;
  const { config } = plan.seen;
  const bytes = restBytes(late);
  const ownerBps = ownerOf(plan, flight)?.rateBps ?? 0;
  // Both end at the same time: readyMs + stolen / thief = (bytes - stolen) / owner. The owner's rest starts later.
  const lateMs = Math.max(0, finishMs - (bytes * 8000) / Math.max(1, ownerBps));
  const spanMs =
    (bytes * 8000 + thief.readyMs * thief.rateBps + lateMs * ownerBps) / (thief.rateBps + ownerBps);
  const wanted = ((spanMs - thief.readyMs) * thief.rateBps) / 8000;
  const stolen = bytes - wanted < MIN_BYTES ? bytes : Math.ceil(wanted);
  const part = object.ranges ? stolen : (object.totalBytes ?? bytes);
  const gainMs = finishMs - (object.ranges ? spanMs : timeFor(thief, part));
  if (part < Math.min(MIN_BYTES, bytes)) return false;
  if (!isGain(config, finishMs, gainMs)) return false;
  return repeatOver(plan, thief, late, part);
}

/** True if so much less time is worth a second request. */
export const isGain = (
  { stealGain, stealGainMs }: CommonFinishConfig,
  finishMs: number,
  gainMs: number,
): boolean => gainMs >= Math.max(stealGainMs, stealGain * finishMs);

/**
 * A wait as long as the thief needs is at most doubled by it, and often the answer comes meanwhile. While no network has delivered
 * anything, each may be the far one.
 */
function takeUntried(plan: ChunkPlan<CommonFinishConfig>, thief: Worker, late: Late): boolean {
  const { flight, object } = late;
  const guess = object.totalBytes ?? guessedBytes(object, thief.chunkBytes);
  const part = object.ranges ? restBytes(late) : guess;
  const patienceMs = object.ranges || hasDelivered(thief) ? 0 : WHOLE_PATIENCE_MS;
  const waitedMs = plan.seen.nowMs - flight.sentMs;
  const hasWaited = waitedMs >= Math.max(patienceMs, timeFor(thief, part));
  const isFirst = !plan.workers.some(hasDelivered) && flight.receivedBytes === 0;
  return (hasDelivered(thief) || isFirst) && hasWaited && repeatOver(plan, thief, late, part);
}

function restBytes({ flight, object }: Late): number {
  const rest = restOf(flight, object.totalBytes);
  return rest.end - rest.start;
}

/** Requests the last bytes of a late request over another network, if that may carry them. */
function repeatOver(
  plan: ChunkPlan<CommonFinishConfig>,
  thief: Worker,
  { flight, object, finishMs }: Late,
  bytes: number,
): boolean {
  if (entitledBytes(plan, thief, object) < bytes && thief.costly) return false;
  const rest = restOf(flight, object.totalBytes);
  const range = object.ranges
    ? { start: rest.end - bytes, end: rest.end }
    : { start: 0, end: null };
  assign(plan, thief, {
    object,
    ...range,
    purpose: 'duplicate',
    duplicateOf: flight.chunkId,
    reason: hasEnd(rest)
      ? `${flight.networkId} would take ${formatDuration(finishMs)} for it`
      : `${flight.networkId} is late with an answer of unknown length`,
  });
  return true;
}
