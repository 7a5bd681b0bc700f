/** Interval of the checks. Chosen; no measurement. */
const LOOK_MS = 20;

/**
 * Checks until it holds, or for `mostMs`.
 * @returns true if it holds
 */
export async function waitUntil(holds: () => boolean, mostMs: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < mostMs; waitedMs += LOOK_MS) {
    if (holds()) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return holds();
}
