/** A network as far as sharing work goes. */
export interface Worker {
  rateBps: number;
  /** From now until it could deliver the first byte of something new. */
  readyMs: number;
}

/**
 * From now until `bytes` are here if all workers end together: none is asked for more than it delivers by
 * then. Infinity without workers.
 */
export function commonFinishMs(workers: readonly Worker[], bytes: number): number {
  const byReady = [...workers].sort((a, b) => a.readyMs - b.readyMs);
  let rateBps = 0;
  let startedBits = 0;
  let finishMs = Infinity;
  for (const worker of byReady) {
    // One that is ready only after the others have finished takes no part.
    if (worker.readyMs >= finishMs) break;
    rateBps += worker.rateBps;
    startedBits += worker.rateBps * worker.readyMs;
    finishMs = (bytes * 8000 + startedBits) / rateBps;
  }
  return finishMs;
}
