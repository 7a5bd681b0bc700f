import { bufferValue, planConfig, stallWeightOf } from '../../abr';
import { volumeOf, type CapacityProfile } from '../../optimum';
import type { Controller } from '../../sim';

/** The player's horizon: the segments whose sizes it knows. */
const FORESIGHT_MS = 10_000;

/** Time at which a download that begins at `fromMs` ends. */
type EndOf = (fromMs: number, bytes: number) => number;

/**
 * A player that knows what its networks deliver in the next 10 s: the baseline for forecasts. It searches all rungs of
 * the segments ahead with their real transmission times. Objective and value of the remaining buffer are those of our
 * planner; only the uncertainty is missing.
 * @param profile what the networks deliver together over time
 */
export function createForesight(profile: CapacityProfile): Controller {
  const volume = volumeOf(profile);
  return {
    name: 'perfect-forecast',
    choose({ ladder, currentRung, bufferMs, bufferTargetMs, segmentMs, nextBytes }, nowMs) {
      const mbps = ladder.rungs.map(({ bitrateBps }) => bitrateBps / 1e6);
      const top = mbps.at(-1) ?? 0;
      const { endOf, meanBps } = foresee(volume, nowMs);
      const buys = Math.min(meanBps / 1e6, top) / segmentMs;
      const isEnd = nextBytes.length * segmentMs < FORESIGHT_MS;
      const worthOf = (leftMs: number): number => {
        const share = Math.min(1, leftMs / bufferTargetMs);
        return isEnd ? 0 : buys * bufferValue(planConfig.bufferWorth, share) * bufferTargetMs;
      };
      const best = (ahead: number, rung: number, atMs: number, leftMs: number): Choice => {
        const sizes = nextBytes[ahead];
        if (sizes === undefined) return { rung, value: worthOf(leftMs) };
        // A full buffer waits until it has room.
        const waitMs = Math.max(0, leftMs - bufferTargetMs);
        let found: Choice = { rung: 0, value: -Infinity };
        sizes.forEach((bytes, next) => {
          const endMs = endOf(atMs + waitMs, bytes);
          const afterMs = leftMs - (endMs - atMs);
          const stallMs = Math.max(0, -afterMs);
          const quality = mbps[next] ?? 0;
          const later = best(ahead + 1, next, endMs, afterMs + stallMs + segmentMs);
          const value =
            quality -
            Math.abs(quality - (mbps[rung] ?? quality)) -
            (stallWeightOf(segmentMs) * top * stallMs) / 1000 +
            later.value;
          if (value > found.value) found = { rung: next, value };
        });
        return found;
      };
      return best(0, currentRung, nowMs, bufferMs).rung;
    },
  };
}

interface Choice {
  rung: number;
  value: number;
}

/** Download times from a moment on. After the foresight the mean of the known seconds goes on. */
function foresee(
  volume: ReturnType<typeof volumeOf>,
  nowMs: number,
): { endOf: EndOf; meanBps: number } {
  const lastMs = nowMs + FORESIGHT_MS;
  const lastBits = volume.bitsAt(lastMs);
  const knownBits = lastBits - volume.bitsAt(nowMs);
  const meanBps = Math.max(planConfig.minRateBps, (knownBits * 1000) / FORESIGHT_MS);
  const endOf: EndOf = (fromMs, bytes) => {
    const startMs = fromMs + planConfig.overheadMs;
    const doneBits = volume.bitsAt(startMs) + bytes * 8;
    if (startMs < lastMs && doneBits <= lastBits) return volume.timeOf(doneBits);
    const leftBits = startMs < lastMs ? doneBits - lastBits : bytes * 8;
    return Math.max(startMs, lastMs) + (leftBits * 1000) / meanBps;
  };
  return { endOf, meanBps };
}
