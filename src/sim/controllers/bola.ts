import { harmonicMean, highestBelow, type ReferenceObservation } from '../../abr';
import type { Controller } from './controller';

/** Minimum buffer of BOLA-E (dash.js: 10 s). */
const MINIMUM_BUFFER_MS = 10_000;
/** The buffer target is at least the minimum and this for each rung (dash.js's BolaRule: 2 s). */
const BUFFER_PER_RUNG_MS = 2000;
/** Segments of the throughput before the buffer decides (dash.js, on demand: 4). */
const THROUGHPUT_SEGMENTS = 4;
/** Share of that throughput that a rung may need (dash.js's bandwidthSafetyFactor: 0.9). */
const THROUGHPUT_SHARE = 0.9;

/**
 * BOLA (Spiteri, Urgaonkar, Sitaraman: INFOCOM 2016 and IEEE/ACM ToN 2020; dash.js's BolaRule) with BOLA-E's start
 * by throughput for the first segments.
 */
export class Bola implements Controller {
  readonly name = 'bola';
  #started = false;

  choose(observation: ReferenceObservation): number {
    const { ladder, bufferMs, bufferTargetMs, throughputBps, segmentMs } = observation;
    const rungs = ladder.rungs;
    const lowest = rungs[0]?.bitrateBps ?? 1;
    const utilities = rungs.map(({ bitrateBps }) => Math.log(bitrateBps / lowest) + 1);
    const most = utilities.at(-1) ?? 1;
    const targetMs = Math.max(
      bufferTargetMs,
      MINIMUM_BUFFER_MS + BUFFER_PER_RUNG_MS * rungs.length,
    );
    const gamma = (most - 1) / (targetMs / MINIMUM_BUFFER_MS - 1) || 1;
    const vSeconds = MINIMUM_BUFFER_MS / 1000 / gamma;
    const safe = highestBelow(
      ladder,
      (harmonicMean(throughputBps, THROUGHPUT_SEGMENTS) ?? 0) * THROUGHPUT_SHARE,
    );
    // Until the buffer is informative, throughput decides.
    if (!this.#started) {
      this.#started = bufferMs > 2 * segmentMs && throughputBps.length > 1;
      if (!this.#started) return safe;
    }
    let best = 0;
    let bestScore = -Infinity;
    rungs.forEach(({ bitrateBps }, index) => {
      const utility = utilities[index] ?? 0;
      const score = (vSeconds * (utility - 1 + gamma) - bufferMs / 1000) / bitrateBps;
      if (score >= bestScore) {
        best = index;
        bestScore = score;
      }
    });
    return best;
  }
}
