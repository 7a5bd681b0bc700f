import type { ChunkPlan, Worker } from '../plan';
import { owedBytes, type SeenObject } from '../seen';
import type { CommonFinishConfig } from './config';

/** After this many round trips the bytes of a request show its rate. Chosen; no measurement. */
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
  const { objectId, neededAtMs } = first;
  // Audio and video of the same time wait for each other.
  if ((object.neededAtMs ?? neededAtMs) <= neededAtMs) return false;
  let allBytes = 0;
  let ownPaceMs = 0;
  for (const flight of counted) {
    if (flight.objectId !== objectId || flight.networkId !== networkId) continue;
    // It waits for its server, and takes nothing of the network's rate.
    if (flight.held === true || flight.growing === true) continue;
    const bytes = owedBytes(flight, objects);
    allBytes += bytes;
    const deliversMs = nowMs - flight.sentMs - rttMs;
    const isPaced = deliversMs > PACE_ROUND_TRIPS * rttMs && flight.receivedBytes > 0;
    if (!isPaced) continue;
    ownPaceMs = Math.max(ownPaceMs, (bytes * deliversMs) / flight.receivedBytes);
  }
  const sharedMs = (allBytes * 8000) / rateBps;
  // The next request is due: its answer comes when the rest of the first object has.
  if (sharedMs <= config.leadMs + config.leadRoundTrips * rttMs) return false;
  return neededAtMs - nowMs < Math.max(ownPaceMs, sharedMs) + config.stealGainMs;
}
