/** Tuning of abandonment. The values are chosen; no measurement of each alone. */
export interface AbandonConfig {
  /** Younger requests continue unless a path was lost. Example: 500 ms. */
  minElapsedMs: number;
  /**
   * Forecasts below this confidence only bound the rate from below: no reason to discard bytes. Example: 0.3,
   * half a second of measured time.
   */
  minConfidence: number;
  /** Least share of the segment left for which it is abandoned. Example: 0.15. */
  minRemainingShare: number;
  /** Minimum buffer when the segment is complete. Example: 500 ms. */
  reserveMs: number;
  /** Cost of a restart: cancel, a new request, perhaps a new connection. Example: 300 ms. */
  restartCostMs: number;
  /**
   * QoE lost with a lower rung, in differences of the bit rates: the segment itself, the step down and the step up.
   * Example: 3.
   */
  stepShare: number;
}

export const defaultAbandonConfig: AbandonConfig = {
  minElapsedMs: 500,
  minConfidence: 0.3,
  minRemainingShare: 0.15,
  reserveMs: 500,
  restartCostMs: 300,
  stepShare: 3,
};
