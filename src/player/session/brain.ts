import { BrainJournal } from '../../journal';
import {
  createBrain,
  isTrusted,
  stepBrain,
  type BrainConfig,
  type BrainDecision,
  type BrainInput,
  type BrainObservation,
  type BrainState,
  type RequestSent,
} from '../../brain';
import type { AbandonChoice } from '../../abr';
import { SAMPLE_PERIOD_MS, type Forecast, type MediaType } from '../../core';
import { forecast, memorablePaths, type RememberedPath, type RequestEnd } from '../../estimate';
import type { Clock, TransportMessage } from '../../ports';
import type { RequestEvent } from '../../session-log';
import type { NewEvent } from './session';

export interface BrainOptions {
  clock: Pick<Clock, 'nowMs'>;
  config: BrainConfig;
  /** False: the paths are observed and forecast, and nothing is decided. */
  decides: boolean;
  /** Logs the inputs of the brain and its decisions. */
  emit: (event: NewEvent & { type: 'brain' }) => void;
}

/** The player whose stream the brain decides about. */
export interface BrainPlayer {
  observe: (trigger: BrainObservation['trigger'], mediaType?: MediaType) => BrainObservation;
  onDecision: (decision: BrainDecision) => void;
}

/** A decision of this age still counts as current. */
const FRESH_MS = SAMPLE_PERIOD_MS;

type Heard = Exclude<BrainInput, { type: 'decide' | 'configure' }>;

/**
 * Runs the pure brain for one session. It feeds every event in order, and asks for decisions on every sample,
 * on every path event and before every segment. It logs all of that for a replay. It has an opinion only
 * while the path feed is live and something was measured; otherwise every caller steps aside to dash.js.
 */
export class Brain {
  readonly #options: BrainOptions;
  readonly #journal = new BrainJournal();
  #state: BrainState;
  #last: BrainDecision | undefined;
  /** Undefined before the session begins. */
  #player: BrainPlayer | undefined;
  /** Requests to abandon that were not yet passed to dash.js. */
  readonly #abandon = new Map<number, AbandonChoice>();

  /** @throws PolicyConfigError on an unknown policy or setting */
  constructor(options: BrainOptions) {
    this.#options = options;
    this.#state = createBrain(options.config);
  }

  get config(): BrainConfig {
    return this.#state.config;
  }

  /** Initial knowledge for the next session. */
  memorable(): RememberedPath[] {
    return memorablePaths(this.#state.estimator);
  }

  /** The session has begun; earlier events are not part of it. */
  begin(player: BrainPlayer): void {
    this.#player = player;
    this.#journal.config(this.#state.config);
  }

  /** Applies a changed setting of the viewer. @throws PolicyConfigError; nothing was changed then */
  configure(config: BrainConfig): void {
    this.#state = stepBrain(this.#state, { type: 'configure', config }).state;
    if (!this.#player) return;
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
      case 'carriage':
        break;
    }
  }

  requestStarted(request: RequestSent): void {
    this.#hear({ type: 'request-start', request });
  }

  requestEnded(request: RequestEnd & Pick<RequestEvent, 'kind' | 'mediaType'>): void {
    const { requestId, kind, mediaType, startMs, firstByteMs, endMs, bytes, earlyBytes, outcome } =
      request;
    this.#abandon.delete(requestId);
    this.#hear({
      type: 'request-end',
      request: {
        requestId,
        // The size of an initialization segment does not predict the next segment's size.
        ...(mediaType && kind === 'media' ? { mediaType } : {}),
        startMs,
        ...(firstByteMs === undefined ? {} : { firstByteMs }),
        endMs,
        bytes,
        ...(earlyBytes === undefined ? {} : { earlyBytes }),
        outcome,
      },
    });
  }

  /** The expected rate of the network, from the best available source. */
  forecast(): Forecast {
    const nowMs = this.#options.clock.nowMs();
    if (this.#last && nowMs - this.#last.monotonicMs <= FRESH_MS) return this.#last.forecast;
    return forecast(this.#state.estimator, nowMs);
  }

  /** The forecast, if decisions may use it: the path feed is live and has measured something. */
  trusted(): Forecast | undefined {
    const decision = this.#options.decides ? this.#recent() : undefined;
    if (decision) return decision.trusted ? decision.forecast : undefined;
    const now = this.forecast();
    return isTrusted(this.#state, now, this.#options.clock.nowMs()) ? now : undefined;
  }

  /** The forecast from finished requests alone, which needs no path feed; undefined before the first one. */
  fromRequests(): Forecast | undefined {
    const now = this.forecast();
    return now.basis === 'requests' && now.rateBps > 0 ? now : undefined;
  }

  /** Rung for the next segment; undefined without an opinion. */
  select(mediaType: MediaType): { rung: number; reason: string; forecast: Forecast } | undefined {
    const decision = this.#decide('segment', mediaType);
    const rung = decision?.rungs[mediaType];
    if (!decision || rung === undefined) return undefined;
    return { rung, reason: decision.reason, forecast: decision.forecast };
  }

  /** True to abandon a request in flight; undefined without an opinion. */
  judge(requestId: number): { abandon: AbandonChoice | undefined } | undefined {
    const decision = this.#recent();
    if (!decision?.trusted || this.#state.config.abr === 'none') return undefined;
    const abandon = this.#abandon.get(requestId);
    this.#abandon.delete(requestId);
    return { abandon };
  }

  #hear(input: Heard): void {
    if (!this.#player) return;
    this.#state = stepBrain(this.#state, input).state;
    if (this.#options.decides) this.#journal.input(input);
  }

  #recent(): BrainDecision | undefined {
    const nowMs = this.#options.clock.nowMs();
    const isFresh = this.#last && nowMs - this.#last.monotonicMs <= FRESH_MS;
    return isFresh ? this.#last : this.#decide('progress');
  }

  #decide(trigger: BrainObservation['trigger'], mediaType?: MediaType): BrainDecision | undefined {
    if (!this.#player || !this.#options.decides) return undefined;
    const observation = this.#player.observe(trigger, mediaType);
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
    this.#player.onDecision(decision);
    return decision;
  }
}
