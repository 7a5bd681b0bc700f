import type { BrainDecision, BrainInput, BrainObservation } from '../../brain';
import { SAMPLE_PERIOD_MS, dashDefaults, type MediaType } from '../../core';
import type { LogEvent } from '../../session-log';
import { PROGRESS_MS, type Controller } from '../controllers/controller';
import type { Simulation } from '../engine/simulation';
import { every } from '../engine/timer';
import type { SessionCarriage } from './carriage';
import { createCarriage } from './create-carriage';
import { Loader, type EndedRequest } from './loader';
import { createMedia, isFetched, mediaLengthMs, mediaTypes, type Medium } from './medium';
import { observeMedium, observeSession, requestEnd, type ObservedPlayer } from './observation';
import { Playback } from './playback';
import { createSessionBrain, type SessionBrain } from './session-brain';
import { SimulatedLog } from './session-log';
import type { SessionPlace, SessionSettings } from './session-options';

const SAMPLE_NS = SAMPLE_PERIOD_MS * 1e6;
/** Interval of `player` events, the same as that of the real player (`STATE_PERIOD_MS`). */
const STATE_NS = 250e6;

/** One session in an existing simulation: begin it, run the simulation, finish it. */
export class SimSession {
  readonly #options: SessionSettings;
  readonly #simulation: Simulation;
  readonly #carriage: SessionCarriage;
  readonly #playback: Playback;
  readonly #media: Medium[];
  readonly #log: SimulatedLog;
  readonly #loader: Loader;
  readonly #throughputBps: number[] = [];
  readonly #controller: Controller | undefined;
  readonly #bufferTargetMs: number;
  readonly #brain: SessionBrain | undefined;
  /** The feed has shown a living connection. */
  #isSeen = false;
  #requestId = 0;
  /** Undefined before the page begins. */
  #startMs: number | undefined;
  #endAtNs = Infinity;
  #finished = false;

  constructor(options: SessionSettings, place: SessionPlace) {
    const { player } = options;
    const { simulation, network } = place;
    this.#options = options;
    this.#bufferTargetMs = options.bufferTargetMs ?? dashDefaults.bufferMs;
    this.#log = new SimulatedLog(options.media.segmentMs);
    this.#simulation = simulation;
    this.#brain = createSessionBrain(options, this.#log);
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
      controls: this.#brain !== undefined,
      createScheduler,
      createCongestion,
      receiveBufferBytes,
      onPathEvent: (event) => {
        // A page learns the present states from its first samples.
        if (this.#finished || this.#startMs === undefined) return;
        this.#log.write({ type: 'path', monotonicMs: this.#nowMs, event });
        this.#reportToBrain({ type: 'path-event', event });
        this.#decide('path-event');
      },
      onProgress: () => {
        for (const medium of this.#media) this.#loader.announceNext(medium);
      },
    });
    this.#media = createMedia(options.media, this.#carriage.clients);
    this.#playback = new Playback(
      simulation,
      this.#media.map(({ type }) => type),
      mediaLengthMs(this.#media, this.#segmentMs),
      {
        onStart: () => this.#onStart(),
        onStall: (phase, atMs, durationMs) => {
          if (!this.#finished) this.#log.stall(atMs, phase, durationMs);
        },
        onEnd: () => place.onEnd?.(),
      },
    );
    this.#loader = new Loader(simulation, {
      player: this.#player,
      choose: (medium) => this.#choose(medium),
      onBegin: ({ id, startMs }, medium) =>
        this.#reportToBrain({
          type: 'request-start',
          request: { requestId: id, startMs, mediaType: medium?.type },
        }),
      onEnd: (ended) => this.#requestEnded(ended),
    });
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
      isFetched(video) &&
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
    if (this.#controller?.abandon !== undefined)
      every(this.#simulation, PROGRESS_MS * 1e6, () => this.#judgeArriving());
    this.#loader.begin();
  }

  /** Ends it at any time: its connections close. @returns its log */
  finish(): LogEvent[] {
    this.#recordState();
    const reason = this.isOver ? 'ended' : 'time-up';
    this.#log.write({ type: 'end', monotonicMs: this.#nowMs, reason });
    this.#finished = true;
    this.#loader.close();
    return this.#log.events;
  }

  get #nowMs(): number {
    return this.#simulation.nowNs / 1e6;
  }

  get #segmentMs(): number {
    return this.#options.media.segmentMs;
  }

  #choose(medium: Medium): number {
    const highest = medium.ladder.rungs.length - 1;
    if (this.#controller !== undefined) {
      if (medium.type === 'audio') return highest;
      const observation = observeMedium(medium, this.#player, this.#throughputBps);
      return this.#controller.choose(observation, this.#nowMs);
    }
    const decision = this.#decide('segment', medium.type);
    const rung = decision?.rungs[medium.type];
    return rung === undefined ? Math.max(0, medium.rung) : Math.min(Math.max(rung, 0), highest);
  }

  /** The controller may give up the video segment that is arriving. */
  #judgeArriving(): void {
    const video = this.#media.find(({ type }) => type === 'video');
    if (this.#finished || video?.inFlight === undefined) return;
    const { exchange, segment } = video.inFlight;
    const { id, firstByteMs, bytesLoaded, bytesTotal } = exchange;
    const toRung = this.#controller?.abandon?.(
      { segment, firstByteMs, bytesLoaded, bytesTotal },
      observeMedium(video, this.#player, this.#throughputBps),
      this.#nowMs,
    );
    if (toRung !== undefined) this.#loader.abandon(id, toRung);
  }

  #requestEnded({ exchange, kind, medium, at, outcome }: EndedRequest): void {
    const { startMs, bytesLoaded } = exchange;
    const endMs = this.#nowMs;
    const mediaType = kind === 'media' ? medium?.type : undefined;
    // A page is slower: its first request outlasts a period of the feed.
    if (!this.#isSeen) this.#sample();
    this.#reportToBrain(requestEnd(exchange, { endMs, mediaType, outcome }));
    if (medium?.type === 'video' && at !== undefined && outcome === 'ok') {
      const alone = (bytesLoaded * 8e3) / Math.max(1, endMs - startMs);
      this.#throughputBps.push(exchange.goodputBps ?? alone);
    }
    this.#log.request(exchange, { kind, endMs, medium, at, outcome });
    if (kind === 'manifest') this.#log.manifest(endMs, this.#media);
  }

  #sample(): void {
    if (this.#finished) return;
    const batch = this.#carriage.sample(this.#nowMs);
    this.#isSeen ||= batch.connections.length > 0;
    if (this.#options.lean !== true) {
      this.#log.write({ type: 'samples', monotonicMs: this.#nowMs, batch });
    }
    this.#reportToBrain({ type: 'samples', batch });
    this.#decide('tick');
  }

  #reportToBrain(input: Exclude<BrainInput, { type: 'decide' }>): void {
    this.#brain?.observe(input);
  }

  #decide(trigger: BrainObservation['trigger'], mediaType?: MediaType): BrainDecision | undefined {
    const decision = this.#brain?.decide(this.#observe(trigger, mediaType));
    if (decision === undefined) return undefined;
    for (const { pathId, desired } of decision.paths) this.#carriage.want(pathId, desired);
    if (decision.abandon !== undefined && this.#controller === undefined) {
      this.#loader.abandon(decision.abandon.requestId, decision.abandon.toRung);
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

  #onStart(): void {
    this.#endAtNs = this.#simulation.nowNs + this.#options.scenario.durationMs * 1e6;
    const monotonicMs = this.#nowMs;
    const startupDelayMs = monotonicMs - (this.#startMs ?? 0);
    this.#log.write({ type: 'startup', monotonicMs, startupDelayMs });
  }

  #recordState(): void {
    if (this.#finished) return;
    this.#log.recordState(this.#nowMs, this.#media, this.#playback);
  }
}
