import type { BrainDecision, BrainInput, BrainObservation } from '../../brain';
import type { MediaType } from '../../core';
import type { BrainLogEntry, LogEvent } from '../../qoe';
import type { Controller } from '../controllers/controller';
import type { Simulation } from '../engine/simulation';
import { Timer } from '../engine/timer';
import type { Exchange } from './http-client';
import { createMedia, nextBytes, type Medium, type SegmentPlace } from './medium';
import { LOOK_AHEAD, observeSession } from './observation';
import { PathManager } from './path-manager';
import { Playback } from './playback';
import { sampleConnections } from './sampler';
import { SessionBrain } from './session-brain';
import { SessionLog } from './session-log';
import type { SessionPlace, SessionSettings } from './session-options';

const SAMPLE_NS = 100e6;
const STATE_NS = 250e6;
const MANIFEST_BYTES = 4000;
const INIT_BYTES = 900;
/** Media a player without a setting of its own keeps: dash.js's bufferTimeDefault. */
const DEFAULT_BUFFER_MS = 18_000;

/** One session in a simulation that somebody else runs: begin it, run the simulation, finish it. */
export class SimSession {
  readonly #options: SessionSettings;
  readonly #simulation: Simulation;
  readonly #paths: PathManager;
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
        tell: options.tell,
        onJournal: options.journal === true ? onJournal : undefined,
      });
    }
    this.#controller = player.kind === 'controller' ? player.create() : undefined;
    const ids = options.paths ?? network.paths.map(({ id }) => id);
    this.#paths = new PathManager(simulation, network, ids, config !== undefined, (event) => {
      if (this.#finished) return;
      this.#log.write({ type: 'path', monotonicMs: this.#nowMs, event });
      this.#hear({ type: 'path-event', event });
      this.#decide('path-event');
    });
    this.#media = createMedia(simulation, {
      sizes: options.media,
      flow: place.flow ?? 0,
      connection: {
        paths: network.pathsOf(ids),
        createScheduler: options.createScheduler,
        createCongestion: options.createCongestion,
        ...(options.receiveBufferBytes === undefined
          ? {}
          : { receiveBufferBytes: options.receiveBufferBytes }),
      },
      nextId: () => (this.#requestId += 1),
      order: () => this.#paths.order(),
      onOpen: (connection) => this.#paths.add(connection),
    });
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

  /** When its playing time is over; Infinity until it plays. */
  get endAtNs(): number {
    return this.#endAtNs;
  }

  /** Everything was fetched and played. */
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

  /** The page loads: now. */
  begin(): void {
    const { scenario, player, seed, lean } = this.#options;
    this.#startMs = this.#nowMs;
    this.#log.begin(this.#nowMs, {
      scenario: scenario.name,
      seed,
      player: player.kind === 'brain' ? player.config : (this.#controller?.name ?? ''),
    });
    if (lean !== true) this.#every(STATE_NS, () => this.#recordState());
    if (lean !== true || this.#brain !== undefined) this.#every(SAMPLE_NS, () => this.#sample());
    this.#fetchManifest();
  }

  /** Ends it, also in the middle: its connections close. @returns its log */
  finish(): LogEvent[] {
    this.#recordState();
    const reason = this.isOver ? 'ended' : 'time-up';
    this.#log.write({ type: 'end', monotonicMs: this.#nowMs, reason });
    this.#finished = true;
    for (const { http } of this.#media) http.close();
    return this.#log.events;
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
      first.http.fetch(MANIFEST_BYTES, (exchange) => {
        this.#finish(exchange, 'manifest', undefined, undefined, 'ok');
        this.#log.manifest(this.#nowMs, this.#media);
        for (const medium of this.#media) this.#fetchInit(medium);
      }),
    );
  }

  #fetchInit(medium: Medium): void {
    this.#begin(
      medium.http.fetch(INIT_BYTES, (exchange) => {
        this.#finish(exchange, 'init', medium, undefined, 'ok');
        medium.ready = true;
        this.#fetchNext(medium);
      }),
    );
  }

  /** Asks for the next segment where there is room for it, else looks again when there is. */
  #fetchNext(medium: Medium): void {
    const count = medium.sizes[0]?.length ?? 0;
    if (this.#finished || !medium.ready || medium.inFlight !== undefined) return;
    if (medium.next >= count) return;
    const overMs = this.#playback.bufferMs(medium.type) - this.#bufferTargetMs;
    if (overMs >= 0) {
      const waitMs = Math.max(10, this.#playback.playing ? overMs : 100);
      new Timer(this.#simulation, () => this.#fetchNext(medium)).setIn(Math.ceil(waitMs * 1e6));
      return;
    }
    this.#request(medium, this.#choose(medium));
  }

  #request(medium: Medium, rung: number): void {
    const segment = medium.next;
    medium.rung = rung;
    const exchange = medium.http.fetch(medium.sizes[rung]?.[segment] ?? 0, (done) => {
      medium.inFlight = undefined;
      medium.next = segment + 1;
      this.#finish(done, 'media', medium, { rung, segment }, 'ok');
      this.#playback.append(medium.type, (segment + 1) * this.#segmentMs);
      this.#fetchNext(medium);
    });
    medium.inFlight = { exchange, rung, segment };
    this.#begin(exchange);
  }

  #choose(medium: Medium): number {
    const highest = medium.ladder.rungs.length - 1;
    if (this.#controller !== undefined) {
      if (medium.type === 'audio') return highest;
      return this.#controller.choose({
        ladder: medium.ladder,
        currentRung: medium.rung,
        bufferMs: this.#playback.bufferMs(medium.type),
        bufferTargetMs: this.#bufferTargetMs,
        segmentMs: this.#segmentMs,
        throughputBps: this.#throughputBps,
        nextBytes: nextBytes(medium, LOOK_AHEAD),
      });
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
    const times = { startMs, ...(firstByteMs === undefined ? {} : { firstByteMs }), endMs };
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
      this.#throughputBps.push((bytesLoaded * 8e3) / Math.max(1, endMs - startMs));
    }
    this.#log.request(exchange, { kind, endMs, medium, at, outcome });
  }

  #sample(): void {
    const batch = sampleConnections(
      this.#nowMs,
      this.#paths.managed.map((connection, index) => ({
        id: `m:${String(index + 1)}-${String(this.#media[index]?.http.generation ?? 0)}`,
        connection,
        pathOf: this.#paths.pathOf(connection),
      })),
    );
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
    for (const { pathId, desired } of decision.paths) this.#paths.want(pathId, desired);
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
    return observeSession({
      nowMs: this.#nowMs,
      trigger,
      mediaType,
      media: this.#media,
      playback: this.#playback,
      bufferTargetMs: this.#bufferTargetMs,
      segmentMs: this.#segmentMs,
    });
  }

  #abandon(requestId: number, toRung: number): void {
    const medium = this.#media.find(({ inFlight }) => inFlight?.exchange.id === requestId);
    const inFlight = medium?.inFlight;
    if (medium === undefined || inFlight === undefined || toRung >= inFlight.rung) return;
    medium.http.abort();
    medium.inFlight = undefined;
    this.#finish(inFlight.exchange, 'media', medium, inFlight, 'abandoned');
    this.#request(medium, Math.max(0, toRung));
  }

  #onStart(): void {
    this.#endAtNs = this.#simulation.nowNs + this.#options.scenario.durationMs * 1e6;
    const monotonicMs = this.#nowMs;
    const startupDelayMs = monotonicMs - this.#startMs;
    this.#log.write({ type: 'startup', monotonicMs, startupDelayMs });
  }

  #every(periodNs: number, action: () => void): void {
    const timer = new Timer(this.#simulation, () => {
      if (this.#finished) return;
      action();
      timer.setIn(periodNs);
    });
    timer.setIn(periodNs);
  }

  #recordState(): void {
    this.#log.recordState(this.#nowMs, this.#media, this.#playback);
  }
}
