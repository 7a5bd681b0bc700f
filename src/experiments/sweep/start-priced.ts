import type { SessionSummary } from '../../qoe';
import type { MediaSizes } from '../../scenario';

/**
 * Linear QoE minus the wait for the first frame at the price of a stall (Yin et al., SIGCOMM 2015, section 2.2), over the
 * segments of the session's duration; Mbit/s. A start that never comes, or not within the duration, costs all of it.
 */
export function startPricedQoe(
  { linearQoe, startupDelayMs }: Pick<SessionSummary, 'linearQoe' | 'startupDelayMs'>,
  { video, segmentMs }: Pick<MediaSizes, 'video' | 'segmentMs'>,
  durationMs: number,
): number {
  const topBps = Math.max(0, ...video.map(({ bitrateBps }) => bitrateBps));
  const startCost = (startWaitMs(startupDelayMs, durationMs) / 1000) * (topBps / 1e6);
  return ((linearQoe?.total ?? 0) - startCost) / (durationMs / segmentMs);
}

/** The priced wait: at most the session's duration. */
export const startWaitMs = (
  startupDelayMs: number | null | undefined,
  durationMs: number,
): number => Math.min(startupDelayMs ?? durationMs, durationMs);
