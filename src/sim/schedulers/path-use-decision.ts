import { addSample, smoothedMean, NO_SAMPLES, type SmoothedSamples } from '../../core';
import type { ConnectionState, Scheduler, SenderSubflow } from './scheduler';

export interface PathUseOptions {
  /**
   * Samples of a subflow in the weighted average, which are required before it is judged. Paper, section
   * IV-A: 150.
   */
  samples: number;
  /** Share of the best subflow's average that a subflow must exceed. Paper, section IV-A: 0.6. */
  rho: number;
  /** Sampling period while data or acknowledgements move. The paper does not state it. Example: 100 ms. */
  periodNs: number;
  /** Called with each sample: subflow, bits per second. */
  onSample?: (index: number, rateBps: number) => void;
}

export const defaultPathUse: PathUseOptions = { samples: 150, rho: 0.6, periodNs: 100e6 };

interface History {
  samples: SmoothedSamples;
  isOut: boolean;
}

/**
 * Path use decision of MPTCP+ at the sender (paper `mptcp-plus`, section III-A, Algorithm 1), around any
 * scheduler. Samples of window over round trip are averaged over three, then with weights 1..n. A subflow
 * whose average is not above rho times the largest gets no new data. Its earlier data is still delivered: a
 * window of zero would strand it. An excluded subflow keeps its average, so it returns when the best one
 * falls.
 */
export class PathUseDecision implements Scheduler {
  readonly name: string;
  readonly #inner: Scheduler;
  readonly #options: PathUseOptions;
  readonly #histories = new Map<number, History>();
  #nextNs = 0;

  constructor(inner: Scheduler, options: PathUseOptions = defaultPathUse) {
    this.name = `${inner.name}+pud`;
    this.#inner = inner;
    this.#options = options;
  }

  observe(subflows: readonly SenderSubflow[], nowNs: number): void {
    if (nowNs < this.#nextNs) return;
    this.#nextNs = nowNs + this.#options.periodNs;
    this.#sample(subflows);
    this.#judge(subflows);
  }

  begin(): void {
    this.#inner.begin?.();
  }

  pick(subflows: readonly SenderSubflow[], connection: ConnectionState): SenderSubflow | undefined {
    const allowed = subflows.filter(({ index }) => this.#histories.get(index)?.isOut !== true);
    return this.#inner.pick(allowed.length > 0 ? allowed : subflows, connection);
  }

  #sample(subflows: readonly SenderSubflow[]): void {
    for (const { index, cwnd, segmentBytes, srttNs } of subflows) {
      const known = this.#histories.get(index);
      if (srttNs === 0 || known?.isOut === true) continue;
      const history = known ?? { samples: NO_SAMPLES, isOut: false };
      if (known === undefined) this.#histories.set(index, history);
      const rateBps = (cwnd * segmentBytes * 8e9) / srttNs;
      this.#options.onSample?.(index, rateBps);
      history.samples = addSample(history.samples, rateBps, this.#options.samples);
    }
  }

  #judge(subflows: readonly SenderSubflow[]): void {
    const judged = subflows.flatMap(({ index, isBackup, isStale }) => {
      const history = this.#histories.get(index);
      if (history === undefined) return [];
      const meanBps = smoothedMean(history.samples, this.#options.samples);
      return meanBps === undefined ? [] : [{ history, meanBps, isAlive: !isBackup && !isStale }];
    });
    const bestBps = Math.max(
      0,
      ...judged.flatMap(({ meanBps, isAlive }) => (isAlive ? meanBps : [])),
    );
    for (const { history, meanBps } of judged) {
      history.isOut = meanBps <= this.#options.rho * bestBps;
    }
  }
}
