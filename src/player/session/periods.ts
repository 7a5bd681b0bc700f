/** Period of the player's state in the log, and of the check of requests without progress. Chosen; no measurement. */
export const STATE_PERIOD_MS = 250;

/** Period at which the rates of networks are remembered: a page that is closed loses at most this much. Chosen; no measurement. */
export const MEMORY_PERIOD_MS = 5000;
