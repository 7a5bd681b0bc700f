/**
 * Share of a segment that is left when the next one is announced at the latest. On a long path more than a third of a
 * segment may be under way, and nothing is left to ask for. Simulated, half against a third: scenario `3p-150` 3.14 against
 * 2.91 QoE, `three-paths` 4.94 against 4.73, training pairs 0.00 to +0.05 (`ablations.md`).
 */
const LEFT_SHARE = 1 / 2;
/**
 * Time before the segment's end at which the next one is announced. Without work a network idles for a round trip.
 * A chunk is a quarter second of its rate, and the one in order may arrive a chunk later than the others. Measured
 * on three paths of 50 and 100 ms with segments of 1.1 s (`npm run bench -- ranges three-paths --only ranges`).
 * Share of the links' payload rate: a third left gave 0.93, 0.6 s left gave 0.95.
 */
const LEFT_MS = 600;
/** A shorter time does not measure a rate. At 50 Mbit/s a segment of 2 s takes 120 ms. */
const MEASURED_MS = 50;

export interface SegmentProgress {
  loadedBytes: number;
  totalBytes: number;
  /** Time of any clock that does not jump. */
  atMs: number;
}

/** Decides when the next segment of a stream is announced, so that no network idles at the end of the present one. */
export class NextDue {
  /**
   * The latest measured rate of the stream. A segment starts with the rate of the one before. Measured on two links
   * of 26 Mbit/s with segments of 120 ms, as share of the links' payload rate: 0.82 with a measurement for each
   * segment, 0.90 with this.
   */
  #bytesPerMs = 0;
  #segment: unknown;
  /** First progress of the segment. Its bytes may have arrived before the request. */
  #first: SegmentProgress | undefined;

  /** @param segment the same value for every progress of a segment */
  isDue(segment: unknown, progress: SegmentProgress): boolean {
    const { loadedBytes, totalBytes, atMs } = progress;
    if (!this.#first || segment !== this.#segment) this.#first = progress;
    this.#segment = segment;
    const elapsedMs = atMs - this.#first.atMs;
    if (elapsedMs >= MEASURED_MS) {
      this.#bytesPerMs = (loadedBytes - this.#first.loadedBytes) / elapsedMs;
    }
    const dueBytes = Math.max(LEFT_SHARE * totalBytes, LEFT_MS * this.#bytesPerMs);
    return totalBytes > 0 && totalBytes - loadedBytes <= dueBytes;
  }
}
