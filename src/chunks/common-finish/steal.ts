import type { CommonFinishConfig } from './config';
import { formatDuration } from '../../core';
import { overlapBytes, totalBytes } from '../byte-ranges';
import { hasEnd, restOf, type FlightTrack } from '../flight-track';
import { isDue, type SeenObject } from '../seen';
import { commonFinishMs } from '../water-fill';
import { entitledBytes } from './costly';
import { assign, finishOf, missingOf, workersFor, type ChunkPlan, type Worker } from '../plan';

/** Fewer bytes justify neither a request nor a wait. */
const MIN_BYTES = 4000;

interface Late {
  flight: FlightTrack;
  object: SeenObject;
  finishMs: number;
  /** Its network has delivered nothing yet: its round trip and its rate are guesses. */
  isUntried: boolean;
}

/**
 * Requests a part of a late request's rest over another network as well. The part is sized so that both end at the
 * same time and few bytes arrive twice.
 */
export function stealLate(plan: ChunkPlan<CommonFinishConfig>): void {
  for (const late of lateFlights(plan)) {
    const { object, flight } = late;
    const thieves = workersFor(plan, object)
      .filter(({ networkId, freeRequests, requests, maxRequests }) => {
        const isFree = freeRequests > 0 && requests < maxRequests;
        return isFree && networkId !== flight.networkId;
      })
      .sort((a, b) => a.readyMs - b.readyMs || b.rateBps - a.rateBps);
    for (const thief of thieves) if (steal(plan, thief, late)) break;
  }
}

/** Flights that would be the last of their object to complete, and later than expected when they were sent. */
function lateFlights(plan: ChunkPlan<CommonFinishConfig>): Late[] {
  const { objects, nowMs, config } = plan.seen;
  const late: Late[] = [];
  for (const object of objects) {
    const own = plan.counted
      .filter(({ objectId }) => objectId === object.objectId)
      .map((flight) => ({
        flight,
        object,
        finishMs: finishOf(plan, flight),
        isUntried: isUntried(plan, flight),
      }));
    const missing = totalBytes(missingOf(plan, object));
    const sharedMs = missing > 0 ? commonFinishMs(workersFor(plan, object), missing) : 0;
    for (const one of own) {
      const { flight, finishMs } = one;
      const isCopied = own.some((other) => other !== one && overlaps(other.flight, flight, object));
      const isOnTime = nowMs + finishMs <= flight.forecastMs + config.stealGainMs;
      const isInTime = (object.neededAtMs ?? nowMs) - nowMs - config.safetyMs > finishMs;
      const holdsUp = finishMs > sharedMs + config.stealGainMs;
      const isIdle = plan.workers.some(({ requests }) => requests === 0);
      // Two answers of an object that is still being written cannot be joined.
      const isShared = flight.chunkId < 0 || flight.growing === true || isCopied;
      if (isShared) continue;
      // Nobody knows when it comes.
      const isOpen = one.isUntried && missing === 0 && (isIdle || isDue(object, nowMs));
      if (!isOpen && (isOnTime || !holdsUp)) continue;
      if (!isInTime || isIdle) late.push({ ...one, isUntried: isOpen });
    }
  }
  return late.sort((a, b) => b.finishMs - a.finishMs);
}

const hasDelivered = ({ track }: Worker): boolean => track.health !== 'untried';

function isUntried({ workers }: ChunkPlan<CommonFinishConfig>, flight: FlightTrack): boolean {
  const owner = workers.find(({ networkId }) => networkId === flight.networkId);
  return owner !== undefined && !hasDelivered(owner);
}

function overlaps(a: FlightTrack, b: FlightTrack, { totalBytes: total }: SeenObject): boolean {
  return overlapBytes(restOf(a, total), restOf(b, total)) > 0;
}

function steal(
  plan: ChunkPlan<CommonFinishConfig>,
  thief: Worker,
  { flight, object, finishMs, isUntried }: Late,
): boolean {
  const { config } = plan.seen;
  const rest = restOf(flight, object.totalBytes);
  const bytes = rest.end - rest.start;
  const owner = plan.workers.find(({ networkId }) => networkId === flight.networkId);
  const ownerBps = owner?.rateBps ?? 0;
  // Both end at the same time: readyMs + stolen / thief = (bytes - stolen) / owner. The owner's rest starts later.
  const lateMs = Math.max(0, finishMs - (bytes * 8000) / Math.max(1, ownerBps));
  const spanMs =
    (bytes * 8000 + thief.readyMs * thief.rateBps + lateMs * ownerBps) / (thief.rateBps + ownerBps);
  const wanted = ((spanMs - thief.readyMs) * thief.rateBps) / 8000;
  const isAll = isUntried || bytes - wanted < MIN_BYTES;
  const stolen = isAll ? bytes : Math.ceil(wanted);
  const part = object.ranges ? stolen : (object.totalBytes ?? bytes);
  const endMs =
    object.ranges && !isUntried ? spanMs : thief.readyMs + (part * 8000) / thief.rateBps;
  const gainMs = finishMs - endMs;
  // A wait as long as the thief needs is at most doubled by it, and often the answer comes meanwhile.
  const hasWaited = plan.seen.nowMs - flight.sentMs >= endMs;
  if (isUntried && !(hasDelivered(thief) && hasWaited)) return false;
  if (part < Math.min(MIN_BYTES, bytes)) return false;
  if (!isUntried && gainMs < Math.max(config.stealGainMs, config.stealGain * finishMs))
    return false;
  if (entitledBytes(plan, thief, object) < part && thief.costly) return false;
  const range = object.ranges ? { start: rest.end - part, end: rest.end } : { start: 0, end: null };
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
