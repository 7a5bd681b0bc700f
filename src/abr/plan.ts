/**
 * Decisions by a stochastic programme (`plan-states.ts`): the rung of the next segment, and whether to begin the one in
 * flight anew on a lower rung.
 */
import { RETURN_LEVEL, SPECIAL_LEVELS } from './rate-chain';
import { at, loadTime, planConfig, planStates, type RungPlanInput } from './plan-states';

/** The rung of the next segment by the best plan, after those in flight. Undefined for an empty ladder. */
export function planRungs(input: RungPlanInput): number | undefined {
  const plan = planStates(input);
  if (plan === undefined) return undefined;
  const { expected, space } = plan;
  const { mbps, levels, points, roomMs } = space;
  const { chain, pending = { segments: 0, bytes: 0 }, segmentMs, currentRung } = input;
  const { startWeight } = planConfig;
  const waitCost = space.stallCost * (input.playing ? 1 : startWeight);
  const pendingMs = chain.levelsBps.map((_, level) =>
    pending.segments > 0 ? loadTime(pending.bytes, level, chain) : 0,
  );
  let best = 0;
  let most = -Infinity;
  for (let rung = 0; rung < mbps.length; rung += 1) {
    const quality = mbps[rung] ?? 0;
    const bytes = input.sizeOf(0, rung);
    const before = mbps[currentRung] ?? quality;
    let value = quality - Math.abs(quality - before);
    for (let level = 0; level < levels; level += 1) {
      const chance = chain.now[level] ?? 0;
      if (chance < planConfig.minChance) continue;
      let leftMs = input.bufferMs - (pendingMs[level] ?? 0);
      let stallMs = Math.max(0, -leftMs);
      leftMs += stallMs + pending.segments * segmentMs;
      const fullMs = Math.max(0, leftMs - Math.max(roomMs, segmentMs));
      // A failure or an outage delays once, and the segment behind it comes at the slowest rate.
      const isOnce = pending.segments > 0 && level < RETURN_LEVEL;
      const behind = isOnce ? SPECIAL_LEVELS : level;
      leftMs -= fullMs + loadTime(bytes, behind, chain);
      stallMs += Math.max(0, -leftMs);
      const place = (rung * levels + level) * points;
      const later = at(expected, place, Math.max(0, leftMs) + segmentMs, space);
      value += chance * (later - waitCost * stallMs);
    }
    if (value > most) {
      best = rung;
      most = value;
    }
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
  const { expected, space } = plan;
  const { mbps, levels, points, roomMs, stallCost } = space;
  const { bufferMs, chain, currentRung, segmentMs, sizeOf } = input;
  const worthOf = (rung: number, bytes: number, beforeMs: number): number => {
    const quality = mbps[rung] ?? 0;
    let worth = quality - Math.abs(quality - (mbps[currentRung] ?? quality));
    for (let level = 0; level < levels; level += 1) {
      const chance = chain.now[level] ?? 0;
      if (chance < planConfig.minChance) continue;
      const leftMs = bufferMs - beforeMs - loadTime(bytes, level, chain);
      const place = (rung * levels + level) * points;
      const later = at(expected, place, Math.min(roomMs, Math.max(0, leftMs)) + segmentMs, space);
      worth += chance * (later - stallCost * Math.max(0, -leftMs));
    }
    return worth;
  };
  let best: number | undefined;
  // The rest is under way, so no request comes before it.
  let most = worthOf(currentRung, restBytes, -planConfig.overheadMs);
  for (let rung = 0; rung < currentRung; rung += 1) {
    const worth = worthOf(rung, sizeOf(0, rung), restartMs);
    if (worth > most) [best, most] = [rung, worth];
  }
  return best;
}
