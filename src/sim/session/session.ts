import type { BrainDecision, BrainInput, BrainObservation } from '../../brain';
import type { MediaType } from '../../core';
import type { BrainLogEntry, LogEvent } from '../../session-log';
import type { Controller } from '../controllers/controller';
import type { Simulation } from '../engine/simulation';
import { every, Timer } from '../engine/timer';
import type { Exchange, SessionCarriage } from './carriage';
import { createCarriage } from './create-carriage';
import { createMedia, isFetched, mediaTypes, type Medium, type SegmentPlace } from './medium';
import { observeMedium, observeSession, type ObservedPlayer } from './observation';
import { Playback } from './playback';
import { SessionBrain } from './session-brain';
import { SessionLog } from './session-log';
import type { SessionPlace, SessionSettings } from './session-options';

const SAMPLE_NS = 100e6;
const STATE_NS = 250e6;
const MANIFEST_BYTES = 4000;
const INIT_BYTES = 900;
/** Media that a player without its own setting buffers: dash.js's bufferTimeDefault. */
const DEFAULT_BUFFER_MS = 18_000;

/** One session in an existing simulation: begin it, run the simulation, finish it. */
export class SimSession {
  readonly #options: SessionSettings;
  readonly #simulation: Simulation;
  readonly #carriage: SessionCarriage;
  readonly #playback: Playback;
  readonly #media: Medium[];
  readonly #log: SessionLog;
  readonly #throughputBps: number[] = [];
  readonly #controller: Controller | undefined;
  readonly #bufferTargetMs: number;
  readonly #brain: SessionBrain | undefined;
  #requestId = 0;
  #startMs = 0;
  #endAtNs = Infinity;
  #finished = false;
  /** The brain permits a request while one is under way. */
  #ahead = false;

  constructor(options: SessionSettings, place: SessionPlace) {
    const { player } = options;
    const { simulation, network } = place;
    this.#options = options;
    this.#bufferTargetMs = options.bufferTargetMs ?? DEFAULT_BUFFER_MS;
    this.#log = new SessionLog(options.media.segmentMs);
    this.#simulation = simulation;
    const config = player.kind === 'brain' ? player.config : player.policy;
    if (config !== undefined) {
      const onJournal = (monotonicMs: number, entries: BrainLogEntry[]): void =>
        this.#log.write({ type: 'brain', monotonicMs, entries });
      this.#brain = new SessionBrain({
        config,
        filterInput: options.filterInput,
        onJournal: options.journal === true ? onJournal : undefined,
      });
    }
    this.#controller = player.kind === 'controller' ? player.create() : undefined;
    const ids = options.paths ?? network.paths.map(({ id }) => id);
    const { createScheduler, createCongestion, receiveBufferBytes } = options;
    this.#carriage = createCarriage(options.carriage ?? { kind: 'mptcp' }, {
      simulation,
      network,
      ids,
      media: mediaTypes(options.media).length,
      nextId: () => (this.#requestId += 1),
      flow: place.flow ?? 0,
      controls: config !== undefined,
      createScheduler,
      createCongestion,
      receiveBufferBytes,
      onPathEvent: (event) => {
        if (this.#finished) return;
        this.#log.write({ type: 'path', monotonicMs: this.#nowMs, event });
        this.#hear({ type: 'path-event', event });
        this.#decide('path-event');
      },
      onWantsMore: () => {
        if (!this.#mayAskAhead) return;
        for (const medium of this.#media) this.#fetchEarly(medium);
      },
    });
    this.#media = createMedia(options.media, this.#carriage.clients);
    const lengthMs = Math.min(
      ...this.#media.map(({ sizes }) => (sizes[0]?.length ?? 0) * this.#segmentMs),
    );
    this.#playback = new Playback(
      simulation,
      this.#media.map(({ type }) => type),
      lengthMs,
      {
        onStart: () => this.#onStart(),
        onStall: (phase, durationMs) => this.#log.stall(this.#nowMs, phase, durationMs),
        onEnd: () => place.onEnd?.(),
      },
    );
  }

  /** End of its playing time. Infinity until it plays. */
  get endAtNs(): number {
    return this.#endAtNs;
  }

  /** True once everything was fetched and played. */
  get isOver(): boolean {
    const [video] = this.#media;
    return (
      this.#playback.started &&
      !this.#playback.playing &&
      video !== undefined &&
      video.next >= (video.sizes[0]?.length ?? 0) &&
      this.#playback.bufferMs('video') <= 0
    );
  }

  /** The page loads now. */
  begin(): void {
    const { scenario, player, seed, lean } = this.#options;
    this.#startMs = this.#nowMs;
    this.#log.begin(this.#nowMs, {
      scenario: scenario.name,
      seed,
      player: player.kind === 'brain' ? player.config : (this.#controller?.name ?? ''),
    });
    if (lean !== true) every(this.#simulation, STATE_NS, () => this.#recordState());
    if (lean !== true || this.#brain !== undefined)
      every(this.#simulation, SAMPLE_NS, () => this.#sample());
    this.#fetchManifest();
  }

  /** Ends it at any time: its connections close. @returns its log */
  finish(): LogEvent[] {
    this.#recordState();
    const reason = this.isOver ? 'ended' : 'time-up';
    this.#log.write({ type: 'end', monotonicMs: this.#nowMs, reason });
    this.#finished = true;
    for (const { client } of this.#media) client.close();
    return this.#log.events;
  }

  /** Over byte ranges the scheduler keeps every network busy. Over MPTCP the brain permits it. */
  get #mayAskAhead(): boolean {
    const { carriage, requestsAhead = false } = this.#options;
    return carriage?.kind === 'ranges' || (requestsAhead && this.#ahead);
  }

  get #nowMs(): number {
    return this.#simulation.nowNs / 1e6;
  }

  get #segmentMs(): number {
    return this.#options.media.segmentMs;
  }

  #fetchManifest(): void {
    const [first] = this.#media;
    if (first === undefined) return;
    this.#begin(
      first.client.fetch(MANIFEST_BYTES, (exchange) => {
        this.#finish(exchange, 'manifest', undefined, undefined, 'ok');
        this.#log.manifest(this.#nowMs, this.#media);
        for (const medium of this.#media) this.#fetchInit(medium);
      }),
    );
  }

  #fetchInit(medium: Medium): void {
    this.#begin(
      medium.client.fetch(INIT_BYTES, (exchange) => {
        this.#finish(exchange, 'init', medium, undefined, 'ok');
        medium.ready = true;
        this.#fetchNext(medium);
      }),
    );
  }

  /** Requests the next segment if the buffer has room for it, else retries when it has. */
  #fetchNext(medium: Medium): void {
    if (this.#finished || !medium.ready || medium.inFlight.length > 0) return;
    if (isFetched(medium)) return;
    const overMs = this.#overTargetMs(medium);
    if (overMs >= 0) {
      const waitMs = Math.max(10, this.#playback.playing ? overMs : 100);
      new Timer(this.#simulation, () => this.#fetchNext(medium)).setIn(Math.ceil(waitMs * 1e6));
      return;
    }
    this.#request(medium, this.#choose(medium));
  }

  /** Asks for the next segment while one is under way, so that no network idles. */
  #fetchEarly(medium: Medium): void {
    if (this.#finished || medium.inFlight.length !== 1 || isFetched(medium)) return;
    if (this.#overTargetMs(medium) < 0) this.#request(medium, this.#choose(medium));
  }

  /** How far the buffer is over its target once all that is under way is here. */
  #overTargetMs({ type, inFlight }: Medium): number {
    const aheadMs = inFlight.length * this.#segmentMs;
    return this.#playback.bufferMs(type) + aheadMs - this.#bufferTargetMs;
  }

  #request(medium: Medium, rung: number): void {
    const segment = medium.next;
    const untilMs = (segment + 1) * this.#segmentMs;
    medium.rung = rung;
    medium.next = segment + 1;
    const onDone = (done: Exchange): void => {
      medium.inFlight = medium.inFlight.filter(({ exchange }) => exchange.id !== done.id);
      this.#finish(done, 'media', medium, { rung, segment }, 'ok');
      this.#playback.append(medium.type, untilMs);
      this.#fetchNext(medium);
    };
    const bytes = medium.sizes[rung]?.[segment] ?? 0;
    const neededAtMs = this.#nowMs + segment * this.#segmentMs - this.#playback.positionMs;
    const exchange = medium.client.fetch(bytes, onDone, neededAtMs);
    medium.inFlight.push({ exchange, rung, segment });
    this.#begin(exchange);
  }

  #choose(medium: Medium): number {
    const highest = medium.ladder.rungs.length - 1;
    if (this.#controller !== undefined) {
      if (medium.type === 'audio') return highest;
      return this.#controller.choose(observeMedium(medium, this.#player, this.#throughputBps));
    }
    const decision = this.#decide('segment', medium.type);
    const rung = decision?.rungs[medium.type];
    return rung === undefined ? Math.max(0, medium.rung) : Math.min(Math.max(rung, 0), highest);
  }

  #begin({ id, startMs }: Exchange): void {
    this.#hear({ type: 'request-start', request: { requestId: id, startMs } });
  }

  #finish(
    exchange: Exchange,
    kind: 'manifest' | 'init' | 'media',
    medium: Medium | undefined,
    at: SegmentPlace | undefined,
    outcome: 'ok' | 'abandoned',
  ): void {
    const { id, startMs, firstByteMs, bytesLoaded } = exchange;
    const endMs = this.#nowMs;
    const servedFromMs = exchange.servedFromMs ?? startMs;
    const times = {
      startMs: servedFromMs,
      ...(firstByteMs === undefined ? {} : { firstByteMs }),
      endMs,
    };
    this.#hear({
      type: 'request-end',
      request: {
        requestId: id,
        ...(medium === undefined || kind !== 'media' ? {} : { mediaType: medium.type }),
        ...times,
        bytes: bytesLoaded,
        outcome,
      },
    });
    if (medium?.type === 'video' && at !== undefined && outcome === 'ok') {
      const alone = (bytesLoaded * 8e3) / Math.max(1, endMs - startMs);
      this.#throughputBps.push(exchange.goodputBps ?? alone);
    }
    this.#log.request(exchange, { kind, endMs, medium, at, outcome });
  }

  #sample(): void {
    if (this.#finished) return;
    const batch = this.#carriage.sample(this.#nowMs);
    if (this.#options.lean !== true) {
      this.#log.write({ type: 'samples', monotonicMs: this.#nowMs, batch });
    }
    this.#hear({ type: 'samples', batch });
    this.#decide('tick');
  }

  #hear(input: Exclude<BrainInput, { type: 'decide' }>): void {
    this.#brain?.hear(input);
  }

  #decide(trigger: BrainObservation['trigger'], mediaType?: MediaType): BrainDecision | undefined {
    const decision = this.#brain?.decide(this.#observe(trigger, mediaType));
    if (decision === undefined) return undefined;
    this.#ahead = decision.ahead;
    for (const { pathId, desired } of decision.paths) this.#carriage.want(pathId, desired);
    if (decision.abandon !== undefined && this.#controller === undefined) {
      this.#abandon(decision.abandon.requestId, decision.abandon.toRung);
    }
    const medium = this.#media.find(({ type }) => trigger === 'segment' && type === mediaType);
    if (medium !== undefined) {
      this.#log.decision(decision, medium, this.#playback.bufferMs(medium.type));
    }
    return decision;
  }

  #observe(trigger: BrainObservation['trigger'], mediaType?: MediaType): BrainObservation {
    return observeSession({ ...this.#player, nowMs: this.#nowMs, trigger, mediaType });
  }

  /** The player's knowledge of itself. */
  get #player(): ObservedPlayer {
    const [media, playback] = [this.#media, this.#playback];
    return { media, playback, bufferTargetMs: this.#bufferTargetMs, segmentMs: this.#segmentMs };
  }

  #abandon(requestId: number, toRung: number): void {
    const medium = this.#media.find(({ inFlight }) => inFlight[0]?.exchange.id === requestId);
    const first = medium?.inFlight[0];
    if (medium === undefined || first === undefined || toRung >= first.rung) return;
    // One that was asked for early goes as well: it is further from being needed.
    const abandoned = medium.inFlight;
    medium.client.abort();
    medium.inFlight = [];
    medium.next = first.segment;
    for (const { exchange, ...at } of abandoned) {
      this.#finish(exchange, 'media', medium, at, 'abandoned');
    }
    this.#request(medium, Math.max(0, toRung));
  }

  #onStart(): void {
    this.#endAtNs = this.#simulation.nowNs + this.#options.scenario.durationMs * 1e6;
    const monotonicMs = this.#nowMs;
    const startupDelayMs = monotonicMs - this.#startMs;
    this.#log.write({ type: 'startup', monotonicMs, startupDelayMs });
  }

  #recordState(): void {
    if (this.#finished) return;
    this.#log.recordState(this.#nowMs, this.#media, this.#playback);
  }
}
