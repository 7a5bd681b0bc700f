import { restOf } from '../flight-track';
import type { ChunkPlan, Worker } from '../plan';
import type { SeenObject } from '../seen';
import type { CommonFinishConfig } from './config';

/** Round trips after which the bytes of a request tell its own rate: slow start is over then, or lost its packets. */
const PACE_ROUND_TRIPS = 2;

/**
 * True if a network still owes bytes of the first object, and playback would wait for them. The connections of a
 * network share its rate. Requests for later objects would take the greater part of it, where the first object's
 * connection has a small window.
 */
export function owesFirst(
  { seen, counted }: ChunkPlan<CommonFinishConfig>,
  { networkId, rateBps, rttMs }: Worker,
  object: SeenObject,
): boolean {
  const { nowMs, objects, config } = seen;
  const [first] = objects;
  if (first?.neededAtMs === undefined || first.totalBytes === undefined) return false;
  const { objectId, neededAtMs, totalBytes } = first;
  // Audio and video of the same time wait for each other.
  if ((object.neededAtMs ?? neededAtMs) <= neededAtMs) return false;
  let owedBytes = 0;
  let ownPaceMs = 0;
  for (const flight of counted) {
    if (flight.objectId !== objectId || flight.networkId !== networkId) continue;
    // It waits for its server, and takes nothing of the network's rate.
    if (flight.held === true || flight.growing === true) continue;
    const { start, end } = restOf(flight, totalBytes);
    owedBytes += end - start;
    const deliversMs = nowMs - flight.sentMs - rttMs;
    const isPaced = deliversMs > PACE_ROUND_TRIPS * rttMs && flight.receivedBytes > 0;
    if (!isPaced) continue;
    ownPaceMs = Math.max(ownPaceMs, ((end - start) * deliversMs) / flight.receivedBytes);
  }
  const sharedMs = (owedBytes * 8000) / rateBps;
  // The next request is due: its answer comes when the rest of the first object has.
  if (sharedMs <= config.leadMs + config.leadRoundTrips * rttMs) return false;
  return neededAtMs - nowMs < Math.max(ownPaceMs, sharedMs) + config.stealGainMs;
}
