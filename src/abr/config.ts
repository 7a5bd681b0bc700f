/** Tuning of abandonment. */
export interface AbandonConfig {
  /** Younger requests are left alone unless a path was lost. Example: 500 ms. */
  minElapsedMs: number;
  /** Forecasts less sure than this only bound the rate from below: no reason to throw bytes away. Example: 0.3, half a second of measured time. */
  minConfidence: number;
  /** With less than this share of the segment left it is finished. Example: 0.15. */
  minRemainingShare: number;
  /** Buffer that should be left when the segment is complete. Example: 500 ms. */
  reserveMs: number;
  /** Cost of starting over: cancel, a new request, perhaps a new connection. Example: 300 ms. */
  restartCostMs: number;
  /** A restart must take less than this share of what finishing would. Example: 0.8. */
  gainShare: number;
}

export const defaultAbandonConfig: AbandonConfig = {
  minElapsedMs: 500,
  minConfidence: 0.3,
  minRemainingShare: 0.15,
  reserveMs: 500,
  restartCostMs: 300,
  gainShare: 0.8,
};
