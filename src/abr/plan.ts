/**
 * Decisions by a stochastic programme (`plan-states.ts`): the rung of the next segment, and whether to begin the one in
 * flight anew on a lower rung.
 */
import { RETURN_LEVEL, SPECIAL_LEVELS } from './rate-chain';
import {
  at,
  loadTime,
  planConfig,
  planStates,
  type PlanStates,
  type RungPlanInput,
} from './plan-states';

/** The rung of the next segment by the best plan, after those in flight. Undefined for an empty ladder. */
export function planRungs(input: RungPlanInput): number | undefined {
  const plan = planStates(input);
  if (plan === undefined) return undefined;
  let best = 0;
  let most = -Infinity;
  for (let rung = 0; rung < input.bitratesBps.length; rung += 1) {
    const worth = worthOf(plan, rung, input.sizeOf(0, rung), input.bufferMs);
    if (worth > most) [best, most] = [rung, worth];
  }
  return best;
}

/**
 * The rung with which to begin the segment in flight anew, if that is worth more than its rest. Undefined if none is, and
 * for an empty ladder.
 * @param input as for the segment in flight: `currentRung` is its own rung, `ahead` 0 of `sizeOf` is that segment
 * @param restBytes of it, which have not arrived
 * @param restartMs that a new request costs
 */
export function planRestart(
  input: RungPlanInput,
  restBytes: number,
  restartMs: number,
): number | undefined {
  const plan = planStates(input);
  if (plan === undefined) return undefined;
  const { bufferMs, currentRung, sizeOf } = input;
  let best: number | undefined;
  // The rest is under way, so no request comes before it.
  let most = worthOf(plan, currentRung, restBytes, bufferMs + planConfig.overheadMs);
  for (let rung = 0; rung < currentRung; rung += 1) {
    const worth = worthOf(plan, rung, sizeOf(0, rung), bufferMs - restartMs);
    if (worth > most) [best, most] = [rung, worth];
  }
  return best;
}

/** Worth of a segment of so many bytes on a rung, and of all that follows. */
function worthOf(
  { expected, space }: PlanStates,
  rung: number,
  bytes: number,
  bufferMs: number,
): number {
  const { input, mbps, levels, points, roomMs } = space;
  const { chain, pending = { segments: 0, bytes: 0 }, segmentMs, currentRung } = input;
  const waitCost = space.stallCost * (input.playing ? 1 : planConfig.startWeight);
  const quality = mbps[rung] ?? 0;
  let worth = quality - Math.abs(quality - (mbps[currentRung] ?? quality));
  for (let level = 0; level < levels; level += 1) {
    const chance = chain.now[level] ?? 0;
    if (chance < planConfig.minChance) continue;
    let leftMs = bufferMs - (pending.segments > 0 ? loadTime(pending.bytes, level, chain) : 0);
    let stallMs = Math.max(0, -leftMs);
    leftMs += stallMs + pending.segments * segmentMs;
    const fullMs = Math.max(0, leftMs - Math.max(roomMs, segmentMs));
    // A failure or an outage delays once, and the segment behind it comes at the slowest rate.
    const isOnce = pending.segments > 0 && level < RETURN_LEVEL;
    leftMs -= fullMs + loadTime(bytes, isOnce ? SPECIAL_LEVELS : level, chain);
    stallMs += Math.max(0, -leftMs);
    const place = (rung * levels + level) * points;
    const later = at(expected, place, Math.max(0, leftMs) + segmentMs, space);
    worth += chance * (later - waitCost * stallMs);
  }
  return worth;
}
