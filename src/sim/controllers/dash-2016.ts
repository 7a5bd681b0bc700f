import { highestBelow, referenceRules, type ReferenceObservation } from '../../abr';
import { PROGRESS_MS, type ArrivingSegment, type Controller } from './controller';

/** Rate of the first segment: `DEFAULT_VIDEO_BITRATE` of dash.js 2, in bits per second. */
const INITIAL_BPS = 1e6;
/** Share of a rate that a rung may need (`bandwidthSafetyFactor`). */
const SAFE_SHARE = 0.9;
/** AbandonRequestsRule: time since the first byte before it judges. */
const GRACE_MS = 500;
/** AbandonRequestsRule: reports of progress that the rate needs. */
const LEAST_REPORTS = 5;
/** AbandonRequestsRule: a segment may take this many times its length. */
const ABANDON_MULTIPLIER = 1.8;
/** Time after an abandonment in which the rate rule keeps the rung (`ABANDON_LOAD_TIMEOUT`). */
const HOLD_MS = 10_000;

/**
 * dash.js of 2016 (2.3), the client of the MPTCP+ paper: ThroughputRule (`throughput-2016`), AbandonRequestsRule, and
 * the first segment at the highest rung below 1 Mbit/s. Its rules about short buffers are left out, as the paper does
 * not name them.
 */
export class Dash2016 implements Controller {
  readonly name = 'dash-2016';
  #holdUntilMs = -Infinity;
  /** Segment of the reports. */
  #segment = -1;
  /** Average rates since the first byte, one a report, in bits per second. */
  #reportsBps: number[] = [];
  /** Bytes at the last report. */
  #loaded = 0;
  /** Last segment that was given up: each is given up once. */
  #abandoned = -1;

  choose(observation: ReferenceObservation, nowMs: number): number {
    const { ladder, currentRung, throughputBps } = observation;
    if (nowMs < this.#holdUntilMs) return currentRung;
    if (throughputBps.length === 0) return highestBelow(ladder, INITIAL_BPS);
    return referenceRules['throughput-2016'](observation);
  }

  abandon(
    { segment, firstByteMs, bytesLoaded, bytesTotal }: ArrivingSegment,
    { ladder, currentRung, segmentMs }: ReferenceObservation,
    nowMs: number,
  ): number | undefined {
    if (segment !== this.#segment) {
      this.#reportsBps = [];
      this.#loaded = 0;
    }
    this.#segment = segment;
    const elapsedMs = nowMs - (firstByteMs ?? Infinity);
    if (elapsedMs < PROGRESS_MS || segment === this.#abandoned) return undefined;
    if (bytesLoaded === this.#loaded) return undefined;
    this.#loaded = bytesLoaded;
    this.#reportsBps.push((bytesLoaded * 8e3) / elapsedMs);
    if (elapsedMs <= GRACE_MS || this.#reportsBps.length < LEAST_REPORTS) return undefined;
    const rateBps = this.#reportsBps.reduce((sum, one) => sum + one, 0) / this.#reportsBps.length;
    const wholeMs = (bytesTotal * 8e3) / rateBps;
    if (wholeMs < ABANDON_MULTIPLIER * segmentMs) return undefined;
    const toRung = highestBelow(ladder, SAFE_SHARE * rateBps);
    const bitrateBps = (rung: number): number => ladder.rungs[rung]?.bitrateBps ?? 0;
    const otherBytes = (bytesTotal * bitrateBps(toRung)) / bitrateBps(currentRung);
    if (toRung >= currentRung || bytesTotal - bytesLoaded <= otherBytes) return undefined;
    this.#abandoned = segment;
    this.#holdUntilMs = nowMs + HOLD_MS;
    return toRung;
  }
}
