import type { Forecast, Ladder, MediaType } from '../core';
import type { Uncertainty } from './abr-rule';
import type { AbrObservation } from './observation';
import type { RungPlanInput } from './plan-states';
import { rateChain } from './rate-chain';
import { reservedBps } from './reserve';
import { hasSizes, pendingVideo, segmentBytes, segmentDurationMs } from './segment';

/** More sizes than this are never given: fewer show the end of the film. */
const SIZES_AHEAD = 5;

/** The inputs of a plan that the observation lacks. */
export interface PlanFacts {
  mediaType: MediaType;
  ladder: Ladder;
  forecast: Forecast;
  belief: Uncertainty;
  /** The rung of a segment in flight that is planned anew. Absent: the next segment is planned. */
  inFlight?: number | undefined;
}

/** The plan's input for the next segment, or for the one in flight. */
export function planInput(
  observation: AbrObservation,
  { mediaType, ladder, forecast, belief, inFlight }: PlanFacts,
): RungPlanInput {
  const segmentMs = segmentDurationMs(observation, mediaType);
  const known = observation.nextSegments?.[mediaType] ?? [];
  const sizes = inFlight === undefined ? known : [undefined, ...known];
  const currentRung = inFlight ?? observation.currentRung[mediaType] ?? -1;
  // A larger segment takes as long as a slower network.
  const sizeSpread = hasSizes(observation) ? 0 : belief.sizeSpread;
  const widened = (spread: number): number => Math.sqrt(spread * spread + sizeSpread * sizeSpread);
  const isNearEnd = known.length > 0 && known.length < SIZES_AHEAD;
  return {
    bitratesBps: ladder.rungs.map(({ bitrateBps }) => bitrateBps),
    currentRung,
    bufferMs: observation.bufferMs[mediaType] ?? 0,
    bufferTargetMs: observation.bufferTargetMs,
    segmentMs,
    playing: observation.playing || currentRung >= 0,
    chain: rateChain({
      rateBps: Math.max(1, forecast.rateBps - reservedBps(observation, mediaType)),
      ...belief,
      spread: widened(belief.spread),
      rise: widened(belief.rise),
    }),
    pending: inFlight === undefined ? pendingVideo(observation) : undefined,
    sizeOf(ahead, index) {
      const rung = ladder.rungs[index];
      return rung ? segmentBytes(rung, segmentMs, sizes[ahead]) : 0;
    },
    availableMs: observation.live?.availableMs,
    unitMs: observation.live?.unitMs,
    remaining: isNearEnd && observation.live === undefined ? sizes.length : undefined,
  };
}
