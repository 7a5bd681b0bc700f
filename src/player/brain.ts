import {
  BrainJournal,
  createBrain,
  stepBrain,
  type AbandonChoice,
  type BrainConfig,
  type BrainDecision,
  type BrainInput,
  type BrainObservation,
  type BrainState,
} from '../brain';
import type { MediaType } from '../core';
import {
  feedIsLive,
  forecast,
  memorablePaths,
  type RememberedPath,
  type RequestEnd,
  type RequestStart,
} from '../paths';
import type { Clock, TransportMessage } from '../ports';
import type { Forecast, RequestEvent } from '../qoe';
import type { NewEvent } from './session';

export interface BrainOptions {
  clock: Pick<Clock, 'nowMs'>;
  config: BrainConfig;
  /** False: the paths are watched and forecast, and nothing is ever decided. */
  decides: boolean;
  observe: (trigger: BrainObservation['trigger'], mediaType?: MediaType) => BrainObservation;
  /** Writes what the brain was told and what it decided. */
  emit: (event: NewEvent & { type: 'brain' }) => void;
  onDecision: (decision: BrainDecision) => void;
}

/** Within this a decision is still of now. Example: 100 ms, one round of samples. */
const FRESH_MS = 100;

type Heard = Exclude<BrainInput, { type: 'decide' | 'configure' }>;

/**
 * Runs the pure brain for one session: tells it everything that happens, in order, asks it on every sample,
 * on every path event and before every segment, and writes all of that down for a replay. It has an opinion
 * only while the path feed lives and something was measured; otherwise every caller steps aside to dash.js.
 */
export class Brain {
  readonly #options: BrainOptions;
  readonly #journal = new BrainJournal();
  #state: BrainState;
  #last: BrainDecision | undefined;
  #begun = false;
  /** Requests to give up that dash.js has not been told about yet. */
  readonly #abandon = new Map<number, AbandonChoice>();

  /** @throws PolicyConfigError on an unknown policy or setting */
  constructor(options: BrainOptions) {
    this.#options = options;
    this.#state = createBrain(options.config);
  }

  get config(): BrainConfig {
    return this.#state.config;
  }

  /** What the next session may begin with. */
  memorable(): RememberedPath[] {
    return memorablePaths(this.#state.estimator);
  }

  /** The session has begun; what happened before is not part of it. */
  begin(): void {
    this.#begun = true;
    this.#journal.config(this.#state.config);
  }

  /** The viewer changed a setting. @throws PolicyConfigError; nothing was changed then */
  configure(config: BrainConfig): void {
    this.#state = stepBrain(this.#state, { type: 'configure', config }).state;
    if (!this.#begun) return;
    this.#journal.config(config);
    this.#decide('tick');
  }

  onTransport(message: TransportMessage): void {
    switch (message.type) {
      case 'samples':
        this.#hear({ type: 'samples', batch: message.batch });
        this.#decide('tick');
        break;
      case 'path':
        this.#hear({ type: 'path-event', event: message.event });
        this.#decide('path-event');
        break;
      case 'closed':
        this.#hear({ type: 'feed-ended' });
        this.#last = undefined;
        this.#abandon.clear();
        break;
      case 'status':
      case 'path-control':
        break;
    }
  }

  requestStarted({ requestId, startMs }: RequestStart): void {
    this.#hear({ type: 'request-start', request: { requestId, startMs } });
  }

  requestEnded(request: RequestEnd & Pick<RequestEvent, 'kind' | 'mediaType'>): void {
    const { requestId, kind, mediaType, startMs, firstByteMs, endMs, bytes, outcome } = request;
    this.#abandon.delete(requestId);
    this.#hear({
      type: 'request-end',
      request: {
        requestId,
        // The size of an initialisation segment says nothing of the next one's.
        ...(mediaType && kind === 'media' ? { mediaType } : {}),
        startMs,
        ...(firstByteMs === undefined ? {} : { firstByteMs }),
        endMs,
        bytes,
        outcome,
      },
    });
  }

  /** What the network is expected to carry, whatever that is known from. */
  forecast(): Forecast {
    const nowMs = this.#options.clock.nowMs();
    if (this.#last && nowMs - this.#last.monotonicMs <= FRESH_MS) return this.#last.forecast;
    return forecast(this.#state.estimator, nowMs);
  }

  /** The forecast where it may be decided with: from a living path feed that has measured something. */
  trusted(): Forecast | undefined {
    const decision = this.#options.decides ? this.#recent() : undefined;
    if (decision) return decision.trusted ? decision.forecast : undefined;
    const now = this.forecast();
    if (this.#state.feedEnded || !(now.confidence > 0)) return undefined;
    if (now.basis === 'paths') return now;
    const seen = now.paths.some((path) => path.usable);
    return seen && feedIsLive(this.#state.estimator, this.#options.clock.nowMs()) ? now : undefined;
  }

  /** Rung for the next segment; undefined where there is no opinion. */
  select(mediaType: MediaType): { rung: number; reason: string; forecast: Forecast } | undefined {
    const decision = this.#decide('segment', mediaType);
    const rung = decision?.rungs[mediaType];
    if (!decision || rung === undefined) return undefined;
    return { rung, reason: decision.reason, forecast: decision.forecast };
  }

  /** Whether to give up a request in flight; undefined where there is no opinion. */
  judge(requestId: number): { abandon: AbandonChoice | undefined } | undefined {
    const decision = this.#recent();
    if (!decision?.trusted || this.#state.config.abr === 'none') return undefined;
    const abandon = this.#abandon.get(requestId);
    this.#abandon.delete(requestId);
    return { abandon };
  }

  #hear(input: Heard): void {
    this.#state = stepBrain(this.#state, input).state;
    if (this.#begun && this.#options.decides) this.#journal.input(input);
  }

  #recent(): BrainDecision | undefined {
    const nowMs = this.#options.clock.nowMs();
    const isFresh = this.#last && nowMs - this.#last.monotonicMs <= FRESH_MS;
    return isFresh ? this.#last : this.#decide('progress');
  }

  #decide(trigger: BrainObservation['trigger'], mediaType?: MediaType): BrainDecision | undefined {
    if (!this.#begun || !this.#options.decides) return undefined;
    const observation = this.#options.observe(trigger, mediaType);
    const { state, decision } = stepBrain(this.#state, { type: 'decide', observation });
    this.#state = state;
    if (!decision) return undefined;
    this.#last = decision;
    this.#journal.decided(observation, decision);
    this.#options.emit({
      type: 'brain',
      monotonicMs: observation.monotonicMs,
      entries: this.#journal.take(),
    });
    if (decision.abandon) this.#abandon.set(decision.abandon.requestId, decision.abandon);
    this.#options.onDecision(decision);
    return decision;
  }
}
