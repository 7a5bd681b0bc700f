import type { Ladder, Forecast } from '../core';

/** The shares keep audio small beside the video. Chosen; no measurement. */
export const audioConfig = {
  /** Share of the safe rate that a higher rung may need. Example: 0.1. */
  upShare: 0.1,
  /** Share of the expected rate that the present rung may need. Example: 0.15. */
  keepShare: 0.15,
  /** Least buffer for a higher rung. Example: 4000 ms. */
  upBufferMs: 4000,
} as const;

/**
 * Rung for audio. Audio is small, and a gap in it is worse than a low picture quality. It therefore takes a
 * small share of the safe rate, with hysteresis between the way up and the way down. -1 only for an empty
 * ladder.
 */
export function selectAudio(
  ladder: Ladder,
  currentRung: number,
  bufferMs: number,
  forecast: Forecast,
): number {
  const { rungs } = ladder;
  // Rungs ascend: the number of fitting rungs is the index after the highest of them.
  const roomBps = audioConfig.upShare * forecast.safeRateBps;
  const fitting = rungs.filter(({ bitrateBps }) => bitrateBps <= roomBps).length - 1;
  const current = rungs[currentRung];
  if (!current) return Math.max(0, fitting);
  if (fitting > currentRung) return bufferMs >= audioConfig.upBufferMs ? fitting : currentRung;
  const keeps = current.bitrateBps <= audioConfig.keepShare * forecast.rateBps;
  return keeps ? currentRung : Math.max(0, fitting);
}
