/** Tuning of the path estimator. `createPathEstimator({...})` overrides any value. */
export interface PathEstimatorConfig {
  /**
   * Measured time after which a path's fast mean weighs an old value half. A prediction is checked over as much, and as
   * much raises confidence from 0 to 0.5. Example: 1000 ms, about a third of a segment's download.
   */
  fastHalfLifeMs: number;
  /** The same for the slow mean, and for the mean error of predictions. Example: 6000 ms, three segments. */
  slowHalfLifeMs: number;
  /** Part of an interval that may lack an outstanding request and still count as fully covered. Example: 5 ms of 100 ms. */
  coverToleranceMs: number;
  /**
   * Silence of a path that has data to deliver. One that blocks the stream is then measured as 0; shorter silence is
   * averaged with the bytes that follow. One that carried more than half of the others' rate blocks the stream after this
   * and three round trips. Example: 500 ms, above a TCP retransmission timeout.
   */
  silentAfterMs: number;
  /**
   * Silence for which the server or the scheduler may be the reason: before the first byte of an answer, and of a path
   * without bytes while the others deliver in order. The latter is then left out until it delivers again. Example: 1500 ms.
   */
  unusedAfterMs: number;
  /** Fewer out-of-order bytes than this may be ordinary reordering, not a waiting tail. Example: 32 kB. */
  outOfOrderNoiseBytes: number;
  /** Minimum busy time in a burst's rate. Example: 50 ms, half a sample. */
  minBurstMs: number;
  /**
   * Measured bytes that raise confidence from 0 to 0.5, as `fastHalfLifeMs` of measured time does. A fast link delivers a segment within one sample, so its time is too
   * short to count. On links slower than these bytes in that time, time decides. Example: 320 kB, 2.6 Mbit/s.
   */
  confidenceHalfBytes: number;
  /** Unmeasured time after which confidence has halved. Example: 60 s. */
  confidenceHalfLifeMs: number;
  /** Initial measured time of a returned path. Example: 250 ms, confidence 0.16. */
  returnCreditMs: number;
  /** A path missing for less than this did not leave (a connection was replaced). Example: 1000 ms. */
  lostGraceMs: number;
  /**
   * A lower bound of at least this share of an estimate confirms it. Needed on fast links, where a segment arrives
   * within one sample and gives bounds only. Example: 0.6.
   */
  confirmShare: number;
  /** Minimum margin below the lower mean, even if estimates were never too high. Example: 0.05. */
  minMargin: number;
  /** Largest margin. Example: 0.5. */
  maxMargin: number;
  /**
   * Time without samples after which the feed counts as silent and requests are the basis. Example: 3000 ms.
   */
  feedTimeoutMs: number;
  /** Download time after which the request-based fast mean weighs an old value half. Example: 3000 ms. */
  requestFastHalfLifeMs: number;
  /** The same for the slow mean. Example: 8000 ms. */
  requestSlowHalfLifeMs: number;
  /** Smaller answers measure latency, not throughput. Example: 8 kB. */
  minRequestBytes: number;
  /** Answers smaller than this measure latency if their body takes less time than their first byte. Example: 50 kB. */
  latencyBytes: number;
  /** Faster answers came from a cache. Example: 5 ms. */
  minRequestMs: number;
}

/** Checks of predictions after which an old error weighs half. */
export const errorHalfLifeChecks = ({
  fastHalfLifeMs,
  slowHalfLifeMs,
}: PathEstimatorConfig): number => slowHalfLifeMs / fastHalfLifeMs;

export const defaultPathEstimatorConfig: PathEstimatorConfig = {
  fastHalfLifeMs: 1000,
  slowHalfLifeMs: 6000,
  coverToleranceMs: 5,
  silentAfterMs: 500,
  unusedAfterMs: 1500,
  outOfOrderNoiseBytes: 32_000,
  minBurstMs: 50,
  confidenceHalfBytes: 320_000,
  confidenceHalfLifeMs: 60_000,
  returnCreditMs: 250,
  lostGraceMs: 1000,
  confirmShare: 0.6,
  minMargin: 0.05,
  maxMargin: 0.5,
  feedTimeoutMs: 3000,
  requestFastHalfLifeMs: 3000,
  requestSlowHalfLifeMs: 8000,
  minRequestBytes: 8000,
  latencyBytes: 50_000,
  minRequestMs: 5,
};

/** Bounds on the stored state, whatever the feed sends. */
export const estimatorLimits = {
  /** Paths with an estimate. The longest unseen ones are removed first. */
  paths: 64,
  /** Simultaneous outstanding requests. The oldest are removed first. */
  openRequests: 64,
  /** Finished requests kept for cover and overlap. */
  finishedRequests: 64,
} as const;
