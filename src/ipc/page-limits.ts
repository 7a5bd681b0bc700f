/** Bounds that a page keeps by itself. The SDK's entry loads these without the others. */
export const pageLimits = {
  /** Characters of a URL. */
  urlChars: 8192,
  /** Characters of any other text. */
  textChars: 2048,
  /** Origins one page may watch. */
  origins: 32,
  /** Rungs of one ladder. */
  rungs: 256,
} as const;
