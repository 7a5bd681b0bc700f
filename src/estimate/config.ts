import { SAMPLE_PERIOD_MS } from '../core';

/** Tuning of the path estimator. */
export const estimatorConfig = {
  /**
   * Measured time after which a path's fast mean weighs an old value half. As much raises confidence from 0 to 0.5. About a
   * third of a segment's download.
   */
  fastHalfLifeMs: 1000,
  /** The same for the slow mean. The length of three segments. */
  slowHalfLifeMs: 6000,
  /** Part of an interval that may lack an outstanding request and still count as fully covered. */
  coverToleranceMs: 5,
  /**
   * Silence of a path that has data to deliver. One that blocks the stream is then measured as 0; shorter silence is
   * averaged with the bytes that follow. One that carried more than half of the others' rate blocks the stream after this
   * and three round trips. It is above a TCP retransmission timeout.
   */
  silentAfterMs: 500,
  /**
   * Silence for which the server or the scheduler may be the reason: before the first byte of an answer, and of a path
   * without bytes while the others deliver in order. The latter is then left out until it delivers again.
   */
  unusedAfterMs: 1500,
  /** Fewer out-of-order bytes than this may be ordinary reordering, not a waiting tail. */
  outOfOrderNoiseBytes: 32_000,
  /** Minimum busy time in a burst's rate. */
  minBurstMs: SAMPLE_PERIOD_MS / 2,
  /**
   * Measured bytes that raise confidence from 0 to 0.5, as `fastHalfLifeMs` of measured time does. A fast link delivers a
   * segment within one sample, so its time is too short to count. On links below 2.6 Mbit/s time decides.
   */
  confidenceHalfBytes: 320_000,
  /** Unmeasured time after which confidence has halved. */
  confidenceHalfLifeMs: 60_000,
  /** Initial measured time of a returned path: a confidence of 0.16. */
  returnCreditMs: 250,
  /** A path missing for less than this did not leave (a connection was replaced). */
  lostGraceMs: 1000,
  /**
   * A lower bound of at least this share of an estimate confirms it. Needed on fast links, where a segment arrives
   * within one sample and gives bounds only.
   */
  confirmShare: 0.6,
  /** Margin of the safe rate below the lower mean. Without it walks over MPTCP lose 0.05 (ablations). */
  margin: 0.05,
  /** Time without samples after which the feed counts as silent and requests are the basis. */
  feedTimeoutMs: 3000,
  /** Download time after which the request-based fast mean weighs an old value half. */
  requestFastHalfLifeMs: 3000,
  /** The same for the slow mean. */
  requestSlowHalfLifeMs: 8000,
  /** Smaller answers measure latency, not throughput. */
  minRequestBytes: 8000,
  /** Answers smaller than this measure latency if their body takes less time than their first byte: a lower bound. */
  latencyBytes: 50_000,
  /** Faster answers came from a cache. */
  minRequestMs: 5,
} as const;

/** Paths, outstanding and finished requests that are kept at most, whatever the feed sends. The oldest go first. */
export const MAX_KEPT = 64;
