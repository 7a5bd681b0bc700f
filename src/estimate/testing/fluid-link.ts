import type { PathEvent, SubflowState } from '../../core';
import { batch, connection, subflow } from '../../core/testing/samples';
import {
  createPathEstimator,
  observePathEvent,
  observeRequestEnd,
  observeRequestStart,
  observeSamples,
  type PathEstimatorState,
} from '..';

export interface FluidPath {
  id: string;
  rateBps: number;
  state?: SubflowState;
  /** Vanished from the samples. */
  gone?: boolean;
  /** Carries nothing although a request is outstanding. */
  blackholed?: boolean;
  /** The scheduler does not use it. */
  skipped?: boolean;
}

/**
 * A deterministic client's view. Paths deliver at their rate while a request of a fixed size lasts. The split
 * follows the rates, except for `tail`: it gives that share of every request to the last path, like a
 * sender's backlog on a slow path.
 */
export class FluidClient {
  state: PathEstimatorState = createPathEstimator();
  nowMs = 0;
  readonly #received = new Map<string, number>();
  #inOrderBytes = 0;
  #nextRequest = 0;

  constructor(readonly paths: FluidPath[]) {
    this.sample();
  }

  sample(): void {
    const seen = this.paths.filter((path) => path.gone !== true);
    this.state = observeSamples(
      this.state,
      batch(
        this.nowMs,
        seen.length === 0
          ? []
          : [
              connection(
                seen.map((path) =>
                  subflow(path.id, this.#received.get(path.id) ?? 0, {
                    state: path.state ?? 'active',
                  }),
                ),
                { inOrderBytes: this.#inOrderBytes },
              ),
            ],
      ),
    );
  }

  idle(ms: number): void {
    for (const endMs = this.nowMs + ms; this.nowMs < endMs;) {
      this.nowMs += 100;
      this.sample();
    }
  }

  event(event: Omit<PathEvent, 'monotonicMs'>): void {
    this.state = observePathEvent(this.state, { ...event, monotonicMs: this.nowMs });
  }

  /** Downloads. Each path has its own share to deliver. Returns the milliseconds. */
  download(bytes: number, shares?: number[], maxMs = 60_000): number {
    const requestId = this.#nextRequest;
    this.#nextRequest += 1;
    const startMs = this.nowMs;
    this.state = observeRequestStart(this.state, { requestId, startMs });
    const live = (path: FluidPath): boolean =>
      path.gone !== true && (path.state ?? 'active') === 'active' && path.skipped !== true;
    const sum = this.paths.filter(live).reduce((total, path) => total + path.rateBps, 0);
    const left = this.paths.map((path, i) =>
      live(path) ? bytes * (shares?.[i] ?? path.rateBps / sum) : 0,
    );
    const baseBytes = this.#inOrderBytes;
    const total = left.reduce((a, b) => a + b, 0);
    while (left.some((rest) => rest > 0.5) && this.nowMs - startMs < maxMs) {
      this.nowMs += 100;
      for (const [i, path] of this.paths.entries()) {
        const rest = left[i] ?? 0;
        if (path.blackholed === true || path.gone === true) continue;
        const step = Math.min(rest, path.rateBps / 80);
        left[i] = rest - step;
        this.#received.set(path.id, (this.#received.get(path.id) ?? 0) + step);
      }
      // In order: limited by the slowest path.
      const shareOf = (i: number): number => {
        const own = (shares?.[i] ?? (this.paths[i]?.rateBps ?? 0) / sum) * bytes;
        return own > 0 && live(this.paths[i] ?? { id: '', rateBps: 0 })
          ? 1 - (left[i] ?? 0) / own
          : 1;
      };
      const behind = Math.min(...this.paths.map((_, i) => shareOf(i)));
      this.#inOrderBytes = Math.max(this.#inOrderBytes, baseBytes + total * behind);
      this.sample();
    }
    this.state = observeRequestEnd(this.state, {
      requestId,
      startMs,
      firstByteMs: startMs + 20,
      endMs: this.nowMs,
      bytes: total,
      outcome: 'ok',
    });
    return this.nowMs - startMs;
  }
}
