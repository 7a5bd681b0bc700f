import { selectAudio } from './audio';
import { describeBuffer, describeForecast } from './describe';
import { planRungs } from './plan';
import { rateChain } from './rate-chain';
import { hasSizes, pendingVideo, segmentBytes, segmentDurationMs } from './segment';
import { formatBitRate, type Ladder, type MediaType, type Forecast } from '../core';
import { reservedBps } from './reserve';
import type { RuleChoice, Uncertainty } from './abr-rule';
import type { AbrObservation } from './observation';

export const rungConfig = {
  /** Below this confidence the first segment is the lowest rung: 150 ms of measured time. */
  startConfidence: 0.1,
  /** More sizes than this are never given: fewer show the end of the film. */
  sizesAhead: 5,
} as const;

/** Rung for the next segment of a type. Undefined if the stream has none of it. */
export function chooseRung(
  observation: AbrObservation,
  mediaType: MediaType,
  forecast: Forecast,
  uncertainty: Uncertainty,
): RuleChoice | undefined {
  const ladder = observation.ladders.find((one) => one.mediaType === mediaType);
  if (!ladder || ladder.rungs.length === 0) return undefined;
  const current = observation.currentRung[mediaType] ?? -1;
  const bufferMs = observation.bufferMs[mediaType] ?? 0;
  const describe = (rung: number, note = ''): RuleChoice => ({
    rung,
    reason: `${formatBitRate(ladder.rungs[rung]?.bitrateBps ?? 0)}: ${describeForecast(forecast)}, ${describeBuffer(bufferMs)}${note}`,
  });
  if (ladder.rungs.length === 1) return describe(0, ' (only rung)');
  if (!(forecast.rateBps > 0)) {
    // Unknown is not zero: without any measurement a playing stream keeps its rung.
    return describe(!(forecast.confidence > 0) && current >= 0 ? current : 0);
  }
  if (mediaType === 'audio') {
    const isAlone = !observation.ladders.some(
      (one) => one.mediaType === 'video' && one.rungs.length > 0,
    );
    return describe(selectAudio(ladder, current, bufferMs, forecast, isAlone));
  }
  if (current < 0 && forecast.confidence < rungConfig.startConfidence)
    return describe(0, ', start');
  const rung = planVideo(observation, ladder, forecast, uncertainty);
  return describe(rung, current < 0 ? ', start' : '');
}

function planVideo(
  observation: AbrObservation,
  ladder: Ladder,
  forecast: Forecast,
  belief: Uncertainty,
): number {
  const segmentMs = segmentDurationMs(observation, 'video');
  const sizes = observation.nextSegments?.video ?? [];
  const current = observation.currentRung.video ?? -1;
  const sizeOf = (ahead: number, index: number): number => {
    const rung = ladder.rungs[index];
    return rung ? segmentBytes(rung, segmentMs, sizes[ahead]) : 0;
  };
  // A larger segment takes as long as a slower network.
  const sizeSpread = hasSizes(observation) ? 0 : belief.sizeSpread;
  const widened = (spread: number): number => Math.sqrt(spread * spread + sizeSpread * sizeSpread);
  const isNearEnd = sizes.length > 0 && sizes.length < rungConfig.sizesAhead;
  const rung = planRungs({
    bitratesBps: ladder.rungs.map(({ bitrateBps }) => bitrateBps),
    currentRung: current,
    bufferMs: observation.bufferMs.video ?? 0,
    bufferTargetMs: observation.bufferTargetMs,
    segmentMs,
    playing: observation.playing || current >= 0,
    chain: rateChain({
      rateBps: Math.max(1, forecast.rateBps - reservedBps(observation, 'video')),
      ...belief,
      spread: widened(belief.spread),
      rise: widened(belief.rise),
    }),
    pending: pendingVideo(observation),
    sizeOf,
    availableMs: observation.live?.availableMs,
    unitMs: observation.live?.unitMs,
    remaining: isNearEnd && observation.live === undefined ? sizes.length : undefined,
  });
  return rung ?? 0;
}
