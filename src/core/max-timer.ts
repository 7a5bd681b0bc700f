/** Longest delay of a timer in Node and in browsers, 24.8 days. A longer one fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;
