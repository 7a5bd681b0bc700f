import { totalBytes } from './byte-ranges';
import type { ChunkConfig } from './config';
import { defineScheduler, type SchedulerState } from './define-scheduler';
import { assign, beginPlan, missingOf, type ChunkPlan, type Worker } from './plan';
import { isExcluded, type ChunkRuleInput, type SeenObject } from './seen';
import type { ChunkScheduler } from './types';

/** State and answer of a rule that picks networks, before the decision's chunks are assigned. */
export interface Prepared<Memory> {
  memory: Memory;
  /** Networks that the rule may pick. */
  allowed: readonly string[];
  reason: string;
}

/** The part that such a scheduler defines: it chooses the network of the next chunk. */
export interface PickRules<Memory> {
  name: string;
  summary: string;
  start(): Memory;
  /** Called once a decision. Default: every network is allowed. */
  prepare?(memory: Memory, seen: ChunkRuleInput<ChunkConfig>): Prepared<Memory>;
  /**
   * @param able allowed networks that may fetch the object, with or without room for another request; not empty
   * @returns a network with room, or none to wait
   */
  pick(memory: Memory, able: readonly Worker[]): { memory: Memory; worker: Worker | undefined };
}

/** Limit of assignments in one decision, for a rule that never declines. Chosen; no measurement. */
const MAX_ASSIGNMENTS = 256;
/** Interval between calls of a paper's rule. Chosen; no measurement. */
const MAX_WAIT_MS = 100;

/** True if another request may be sent over it now. A paper's rule knows only that a window has room. */
export function withRoom({ freeRequests, requests, maxRequests }: Worker): boolean {
  return freeRequests > 0 && requests < maxRequests;
}

/**
 * Makes a scheduler out of a rule that picks a network for each chunk. A chunk is the first missing bytes, in the
 * size of every scheduler. Nothing is requested twice unless its request failed.
 */
export function pickScheduler<Memory>(
  rules: PickRules<Memory>,
): ChunkScheduler<SchedulerState<Memory, ChunkConfig>, ChunkConfig> {
  return defineScheduler<Memory, ChunkConfig>({
    name: rules.name,
    summary: rules.summary,
    defaults: {},
    limits: {},
    start: () => rules.start(),
    rule: (before, seen) => {
      const everyone = seen.networks.map(({ networkId }) => networkId);
      const prepared = rules.prepare?.(before, seen);
      const allowed = prepared?.allowed ?? everyone;
      const plan = beginPlan(seen);
      let memory = prepared?.memory ?? before;
      for (let count = 0; count < MAX_ASSIGNMENTS; count += 1) {
        const step = next(plan, rules, memory, allowed);
        memory = step.memory;
        if (!step.isAssigned) break;
      }
      const reason = prepared?.reason ?? rules.summary;
      return { memory, wishes: plan.wishes, wakeInMs: MAX_WAIT_MS, reason };
    },
  });
}

function next<Memory>(
  plan: ChunkPlan,
  rules: PickRules<Memory>,
  memory: Memory,
  allowed: readonly string[],
): { memory: Memory; isAssigned: boolean } {
  for (const object of plan.seen.objects) {
    const size = wantedOf(plan, object);
    if (size === undefined) continue;
    const able = plan.workers.filter((worker) => {
      const { networkId, allowanceBytes, freeRequests, requests } = worker;
      const needed = object.ranges ? 1 : (object.totalBytes ?? Infinity);
      const isAffordable = allowanceBytes >= needed || allowanceBytes === Infinity;
      const isUsable = freeRequests + requests > 0 && !isExcluded(object, networkId);
      return allowed.includes(networkId) && isUsable && isAffordable;
    });
    if (able.length === 0) continue;
    const picked = rules.pick(memory, able);
    const { worker } = picked;
    if (worker === undefined || !withRoom(worker)) return { ...picked, isAssigned: false };
    const { start, end } = size;
    const bytes = Math.min(worker.chunkBytes, worker.allowanceBytes);
    assign(plan, worker, {
      object,
      start,
      end: object.ranges ? Math.min(end, start + Math.floor(bytes)) : null,
      purpose: 'media',
      reason: rules.name,
    });
    return { memory: picked.memory, isAssigned: true };
  }
  return { memory, isAssigned: false };
}

/** The first bytes of an object that no request will deliver; undefined if there are none. */
function wantedOf(plan: ChunkPlan, object: SeenObject): { start: number; end: number } | undefined {
  const { totalBytes: total, received, ranges, objectId } = object;
  const isAsked = plan.counted.some((flight) => flight.objectId === objectId);
  if (ranges && total !== undefined) return missingOf(plan, object)[0];
  const isHere = total !== undefined && totalBytes(received) >= total;
  return isAsked || isHere ? undefined : { start: 0, end: Number.MAX_SAFE_INTEGER };
}
