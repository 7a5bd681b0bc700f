/**
 * The longest pause of a server that is still writing an object, ms: the time of one low-latency chunk, and of a late one.
 */
export const ENCODER_PAUSE_MS = 1000;
