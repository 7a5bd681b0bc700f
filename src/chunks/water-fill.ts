/** A network's ability to share work. */
export interface Contributor {
  rateBps: number;
  /** Time until it could deliver the first byte of a new request. */
  readyMs: number;
}

/** Time until `bytes` have arrived if all workers end together. Infinity without workers. */
export function commonFinishMs(workers: readonly Contributor[], bytes: number): number {
  const byReady = [...workers].sort((a, b) => a.readyMs - b.readyMs);
  let rateBps = 0;
  let startedBits = 0;
  let finishMs = Infinity;
  for (const worker of byReady) {
    // A worker that is ready only after the others have finished takes no part.
    if (worker.readyMs >= finishMs) break;
    rateBps += worker.rateBps;
    startedBits += worker.rateBps * worker.readyMs;
    finishMs = (bytes * 8000 + startedBits) / rateBps;
  }
  return finishMs;
}
