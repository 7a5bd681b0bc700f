/** Interval of the checks. Chosen; no measurement. */
const LOOK_MS = 20;

/**
 * Checks until it holds, or for `maxMs`.
 * @returns true if it holds
 */
export async function waitUntil(holds: () => boolean, maxMs: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < maxMs; waitedMs += LOOK_MS) {
    if (holds()) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return holds();
}
