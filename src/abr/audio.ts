import type { Ladder, Forecast } from '../core';

/** The shares keep audio small beside the video. Chosen; no measurement. */
export const audioConfig = {
  /** Share of the safe rate that a higher rung may need. Example: 0.1. */
  upShare: 0.1,
  /** Share of the expected rate that the present rung may need. Example: 0.15. */
  keepShare: 0.15,
  /** The same shares of a stream without video, which has the whole rate. */
  upShareAlone: 0.8,
  keepShareAlone: 1,
  /** Least buffer for a higher rung. Example: 4000 ms. */
  upBufferMs: 4000,
} as const;

/**
 * Rung for audio. Audio is small, and a gap in it is worse than a low picture quality. It therefore takes a
 * small share of the safe rate, with hysteresis between the way up and the way down. -1 only for an empty
 * ladder.
 * @param isAlone the stream has no video
 */
export function selectAudio(
  ladder: Ladder,
  currentRung: number,
  bufferMs: number,
  forecast: Forecast,
  isAlone: boolean,
): number {
  const { rungs } = ladder;
  const { upShare, keepShare, upShareAlone, keepShareAlone, upBufferMs } = audioConfig;
  // Rungs ascend: the number of fitting rungs is the index after the highest of them.
  const roomBps = (isAlone ? upShareAlone : upShare) * forecast.safeRateBps;
  const fitting = rungs.filter(({ bitrateBps }) => bitrateBps <= roomBps).length - 1;
  const current = rungs[currentRung];
  if (!current) return Math.max(0, fitting);
  if (fitting > currentRung) return bufferMs >= upBufferMs ? fitting : currentRung;
  const keepBps = (isAlone ? keepShareAlone : keepShare) * forecast.rateBps;
  const keeps = current.bitrateBps <= keepBps;
  return keeps ? currentRung : Math.max(0, fitting);
}
