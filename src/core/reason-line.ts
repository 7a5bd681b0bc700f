/** Longest reason in the log, in characters. */
const MAX_REASON = 300;

/** A reason as one line of bounded length. Names in it come from the system and may contain any characters. */
export function reasonLine(reason: string): string {
  return reason.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, MAX_REASON);
}
