import type { CommonFinishConfig } from './config';
import { totalBytes } from '../byte-ranges';
import type { SeenObject } from '../seen';
import { isUsable, missingOf, workersFor, type ChunkPlan, type Worker } from '../plan';

/**
 * Bytes of an object to request over a costly network: those that the free ones would deliver after the deadline,
 * once the last moment is near. Without a deadline: all of them if no free network is usable, else none.
 */
export function entitledBytes(
  plan: ChunkPlan<CommonFinishConfig>,
  worker: Worker,
  object: SeenObject,
): number {
  if (!worker.costly) return Infinity;
  const { config, nowMs, objects } = plan.seen;
  const free = workersFor(plan, object).filter(({ costly }) => !costly);
  const anyCostless = plan.workers.some(({ costly }) => !costly);
  if (object.neededAtMs === undefined) {
    return free.length > 0 ? 0 : Math.max(0, worker.allowanceBytes);
  }
  if (!anyCostless) return worker.allowanceBytes;
  const leftMs = object.neededAtMs - nowMs - config.safetyMs;
  const index = objects.indexOf(object);
  const work = objects.slice(0, index + 1).reduce((sum, one) => sum + workOf(plan, one, worker), 0);
  const freeBytes = free.reduce(
    (sum, { rateBps, readyMs }) => sum + (rateBps * Math.max(0, leftMs - readyMs)) / 8000,
    0,
  );
  const deficit = Math.max(0, work - freeBytes);
  const ownMs = worker.readyMs + (deficit * 8000) / worker.rateBps;
  const canWait = leftMs > ownMs + config.costlyLeadMs && isUsable(worker);
  return canWait ? 0 : Math.min(deficit, worker.allowanceBytes);
}

/** Bytes of an object that no request will deliver. Without a length: the chunk whose answer gives it. */
function workOf(plan: ChunkPlan<CommonFinishConfig>, object: SeenObject, worker: Worker): number {
  if (object.totalBytes !== undefined) return totalBytes(missingOf(plan, object));
  return plan.counted.some(({ objectId }) => objectId === object.objectId) ? 0 : worker.chunkBytes;
}
