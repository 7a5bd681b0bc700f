import {
  createAbandonState,
  createSelectState,
  judgeRequest,
  selectRung,
  type AbandonObservation,
  type AbandonResult,
  type AbandonState,
  type SelectObservation,
  type SelectResult,
  type SelectState,
} from '../abr';
import type { MediaType } from '../core';
import {
  createPathEstimator,
  feedIsLive,
  forecast,
  observePathEvent,
  observeRequestEnd,
  observeRequestStart,
  observeSamples,
  type PathEstimatorState,
  type RequestEnd,
  type RequestStart,
} from '../paths';
import type { Clock, TransportMessage } from '../ports';
import type { Forecast } from '../qoe';

type WithoutForecast<T> = Omit<T, 'forecast'>;

export interface BrainOptions {
  clock: Pick<Clock, 'nowMs'>;
  /** A path event may have changed what the requests in flight can expect. */
  onPathEvent: () => void;
}

/**
 * Holds the state of the pure estimator and rules for one session, and feeds them. It has an opinion only
 * while the path feed lives and something was measured; otherwise every caller steps aside to dash.js.
 */
export class Brain {
  readonly #options: BrainOptions;
  #estimator: PathEstimatorState = createPathEstimator();
  readonly #select = new Map<MediaType, SelectState>();
  readonly #abandon = new Map<MediaType, AbandonState>();
  #feedEnded = false;

  constructor(options: BrainOptions) {
    this.#options = options;
  }

  onTransport(message: TransportMessage): void {
    switch (message.type) {
      case 'samples':
        this.#estimator = observeSamples(this.#estimator, message.batch);
        break;
      case 'path':
        this.#estimator = observePathEvent(this.#estimator, message.event);
        this.#options.onPathEvent();
        break;
      case 'closed':
        this.#feedEnded = true;
        break;
      case 'status':
        break;
    }
  }

  requestStarted(request: RequestStart): void {
    this.#estimator = observeRequestStart(this.#estimator, request);
  }

  requestEnded(request: RequestEnd): void {
    this.#estimator = observeRequestEnd(this.#estimator, request);
  }

  /** What the network is expected to carry, whatever that is known from. */
  forecast(): Forecast {
    return forecast(this.#estimator, this.#options.clock.nowMs());
  }

  /**
   * The forecast where it may be decided with: from a living path feed that has measured something. Until
   * a path that is seen has been measured, finished requests stand in: left to dash.js, the first small
   * answer would send a stream up three rungs.
   */
  trusted(): Forecast | undefined {
    if (this.#feedEnded) return undefined;
    const now = this.forecast();
    if (!(now.confidence > 0)) return undefined;
    if (now.basis === 'paths') return now;
    const seen = now.paths.some((path) => path.usable);
    return seen && feedIsLive(this.#estimator, this.#options.clock.nowMs()) ? now : undefined;
  }

  /** Rung for the next segment; undefined where there is no opinion. */
  select(
    mediaType: MediaType,
    observation: WithoutForecast<SelectObservation>,
  ): (SelectResult & { forecast: Forecast }) | undefined {
    const trusted = this.trusted();
    if (!trusted) return undefined;
    const before = this.#select.get(mediaType) ?? createSelectState();
    const result = selectRung(before, { ...observation, forecast: trusted });
    this.#select.set(mediaType, result.state);
    return { ...result, forecast: trusted };
  }

  /** Whether to give up a request in flight; undefined where there is no opinion. */
  judge(
    mediaType: MediaType,
    observation: WithoutForecast<AbandonObservation>,
  ): (AbandonResult & { forecast: Forecast }) | undefined {
    const trusted = this.trusted();
    if (!trusted) return undefined;
    const before = this.#abandon.get(mediaType) ?? createAbandonState();
    const result = judgeRequest(before, { ...observation, forecast: trusted });
    this.#abandon.set(mediaType, result.state);
    return { ...result, forecast: trusted };
  }
}
