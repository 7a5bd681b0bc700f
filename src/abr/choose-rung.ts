import { selectAudio } from './audio';
import { describeBuffer, describeForecast } from './describe';
import { planRungs } from './plan';
import { planInput } from './plan-input';
import { formatBitRate, type MediaType, type Forecast } from '../core';
import type { RuleChoice, Uncertainty } from './abr-rule';
import type { AbrObservation } from './observation';

export const rungConfig = {
  /** Below this confidence the first segment is the lowest rung: 150 ms of measured time. */
  startConfidence: 0.1,
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
  const rung = planRungs(
    planInput(observation, { mediaType, ladder, forecast, belief: uncertainty }),
  );
  return describe(rung ?? 0, current < 0 ? ', start' : '');
}
