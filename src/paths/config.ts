/** Tuning of the path estimator. Every value may be overridden through `createPathEstimator({...})`. */
export interface PathEstimatorConfig {
  /** Measured time after which a path's fast mean weighs an old value half. Example: 1000 ms, about a third of a segment's download. */
  fastHalfLifeMs: number;
  /** The same for the slow mean. Example: 6000 ms, three segments. */
  slowHalfLifeMs: number;
  /** Part of an interval that may lack an outstanding request and still count as fully covered. Example: 5 ms of 100 ms. */
  coverToleranceMs: number;
  /** A path that owes bytes and is silent this long is measured as 0. Shorter silence is averaged with what follows. Example: 500 ms, above a TCP retransmission timeout. */
  silenceLimitMs: number;
  /** The same before the first byte of an answer, when the server may be the one that is slow. Example: 1500 ms. */
  firstByteLimitMs: number;
  /** An active path that gets nothing this long, while the others deliver in order, is left out until it moves again. Example: 1500 ms. */
  dormantAfterMs: number;
  /** The same, plus three round trips, for a path that carried more than half of what the others do: no scheduler leaves that idle. Example: 500 ms. */
  deadAfterMs: number;
  /** Held bytes below this do not tell a waiting tail from ordinary reordering. Example: 32 kB. */
  heldNoiseBytes: number;
  /** Shortest busy time a burst is divided by. Example: 50 ms, half a sample. */
  minBurstMs: number;
  /** Measured time that brings confidence from 0 to 0.5. Example: 1000 ms. */
  confidenceHalfMs: number;
  /** Unmeasured time after which confidence has halved. Example: 60 s. */
  confidenceHalfLifeMs: number;
  /** Measured time a path that came back is credited with. Example: 250 ms, confidence 0.16. */
  returnCreditMs: number;
  /** A path missing for less than this did not leave (a connection was replaced). Example: 1000 ms. */
  lostGraceMs: number;
  /** Safe rate at confidence 0, as share of the lower mean; rises to 1 at confidence 0.5. Example: 0.6. */
  unsureShare: number;
  /** Margin below the lower mean even where estimates were never too high. Example: 0.05. */
  minMargin: number;
  /** Largest margin. Example: 0.5. */
  maxMargin: number;
  /** Measured time over which a prediction is checked. Example: 1000 ms. */
  errorWindowMs: number;
  /** Checks after which an old error weighs half. Example: 6. */
  errorHalfLifeWindows: number;
  /** Busy time after which a path set's efficiency weighs half. Example: 8000 ms. */
  efficiencyHalfLifeMs: number;
  /** Weight of the assumption that paths do not hinder each other; 1 is endless observation. Example: 0.15, as much as the first two seconds. */
  efficiencyPriorWeight: number;
  /** Busy time over which efficiency is measured. Example: 2000 ms. */
  efficiencyWindowMs: number;
  /** Without samples for this long the feed counts as silent and requests are the basis. Example: 3000 ms. */
  feedTimeoutMs: number;
  /** Download time after which the request-based fast mean weighs an old value half. Example: 3000 ms. */
  requestFastHalfLifeMs: number;
  /** The same for the slow mean. Example: 8000 ms. */
  requestSlowHalfLifeMs: number;
  /** Smaller answers tell latency, not throughput. Example: 8 kB. */
  minRequestBytes: number;
  /** Faster answers came from a cache. Example: 5 ms. */
  minRequestMs: number;
}

export const defaultPathEstimatorConfig: PathEstimatorConfig = {
  fastHalfLifeMs: 1000,
  slowHalfLifeMs: 6000,
  coverToleranceMs: 5,
  silenceLimitMs: 500,
  firstByteLimitMs: 1500,
  dormantAfterMs: 1500,
  deadAfterMs: 500,
  heldNoiseBytes: 32_000,
  minBurstMs: 50,
  confidenceHalfMs: 1000,
  confidenceHalfLifeMs: 60_000,
  returnCreditMs: 250,
  lostGraceMs: 1000,
  unsureShare: 0.6,
  minMargin: 0.05,
  maxMargin: 0.5,
  errorWindowMs: 1000,
  errorHalfLifeWindows: 6,
  efficiencyHalfLifeMs: 8000,
  efficiencyPriorWeight: 0.15,
  efficiencyWindowMs: 2000,
  feedTimeoutMs: 3000,
  requestFastHalfLifeMs: 3000,
  requestSlowHalfLifeMs: 8000,
  minRequestBytes: 8000,
  minRequestMs: 5,
};

/** Bounds on what is remembered, whatever the feed says. */
export const estimatorLimits = {
  /** Paths with an estimate; the longest unseen go first. */
  paths: 64,
  /** Requests outstanding at once; the oldest go first. */
  openRequests: 64,
  /** Finished requests remembered for cover and overlap. */
  finishedRequests: 64,
  /** Path sets with a learned efficiency. */
  pathSets: 64,
} as const;
