/** Defaults of dash.js 5 (`streaming.buffer`), in milliseconds; a film is long from ten minutes on. */
export const dashDefaults = {
  /** `bufferTimeDefault`. */
  bufferMs: 18_000,
  /** `bufferTimeAtTopQuality`. */
  bufferAtTopMs: 30_000,
  /** `bufferTimeAtTopQualityLongForm`. */
  bufferAtTopLongFormMs: 60_000,
  /** `longFormContentDurationThreshold`. */
  longFormMs: 600_000,
} as const;
