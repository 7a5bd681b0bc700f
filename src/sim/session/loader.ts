import { NextDue } from '../../core';
import type { Simulation } from '../engine/simulation';
import { Timer } from '../engine/timer';
import type { CarriedRequest } from './carriage';
import { cancelRequest, isFetched, type Medium, type SegmentPlace } from './medium';
import { overTargetMs, type ObservedPlayer } from './observation';

/** Sizes of an MPD and of an initialization segment. Chosen; no measurement. */
const MANIFEST_BYTES = 4000;
const INIT_BYTES = 900;
/** Minimum time between two looks at the buffer; the second one applies before the start. */
const MIN_WAIT_MS = 10;
const START_WAIT_MS = 100;

/** A request that ended, with its segment if it had one. */
export interface EndedRequest {
  exchange: CarriedRequest;
  kind: 'manifest' | 'init' | 'media';
  medium?: Medium | undefined;
  at?: SegmentPlace | undefined;
  outcome: 'ok' | 'abandoned';
}

export interface LoaderOptions {
  player: ObservedPlayer;
  /** The rung of the next segment. */
  choose: (medium: Medium) => number;
  /** The medium of a segment; undefined for an initialization segment. */
  onBegin: (exchange: CarriedRequest, medium?: Medium) => void;
  onEnd: (ended: EndedRequest) => void;
}

/** Fetches the manifest, the init segments, and segments as the buffer has room for them. */
export class Loader {
  readonly #simulation: Simulation;
  readonly #options: LoaderOptions;
  readonly #due = new Map<Medium, NextDue>();
  #closed = false;

  constructor(simulation: Simulation, options: LoaderOptions) {
    this.#simulation = simulation;
    this.#options = options;
  }

  begin(): void {
    const { media } = this.#options.player;
    const [first] = media;
    if (first === undefined) return;
    this.#options.onBegin(
      first.client.fetch(MANIFEST_BYTES, (exchange) => {
        this.#options.onEnd({ exchange, kind: 'manifest', outcome: 'ok' });
        for (const medium of media) this.#fetchInit(medium);
      }),
    );
  }

  close(): void {
    this.#closed = true;
    for (const { client } of this.#options.player.media) client.close();
  }

  /**
   * Announces the next segment on the rung of the present one when that is due, as the player does over byte ranges.
   * Its rung is chosen when the present one has arrived.
   */
  announceNext(medium: Medium): void {
    const current = medium.inFlight;
    if (this.#closed || current === undefined || isFetched(medium)) return;
    if (overTargetMs(medium, this.#options.player) >= 0) return;
    const { bytesLoaded, bytesTotal } = current.exchange;
    const atMs = this.#simulation.nowNs / 1e6;
    const progress = { loadedBytes: bytesLoaded, totalBytes: bytesTotal, atMs };
    if (!this.#dueOf(medium).isDue(current.segment, progress)) return;
    const { bytes, neededAtMs } = this.#next(medium, current.rung);
    medium.client.announce?.(nameOf(current.rung, medium.next), bytes, neededAtMs);
  }

  /** Cancels a medium's request and requests its segment on a lower rung. */
  abandon(requestId: number, toRung: number): void {
    const { media } = this.#options.player;
    const medium = media.find(({ inFlight }) => inFlight?.exchange.id === requestId);
    if (medium?.inFlight === undefined || toRung >= medium.inFlight.rung) return;
    const { exchange, ...at } = medium.inFlight;
    cancelRequest(medium);
    this.#options.onEnd({ exchange, kind: 'media', medium, at, outcome: 'abandoned' });
    this.#request(medium, Math.max(0, toRung));
  }

  #fetchInit(medium: Medium): void {
    this.#options.onBegin(
      medium.client.fetch(INIT_BYTES, (exchange) => {
        this.#options.onEnd({ exchange, kind: 'init', medium, outcome: 'ok' });
        medium.ready = true;
        this.#fetchNext(medium);
      }),
    );
  }

  /** Requests the next segment if the buffer has room for it, else retries when it has. */
  #fetchNext(medium: Medium): void {
    if (this.#closed || !medium.ready || medium.inFlight !== undefined) return;
    if (isFetched(medium)) return;
    const overMs = overTargetMs(medium, this.#options.player);
    if (overMs >= 0) {
      const { playing } = this.#options.player.playback;
      const waitMs = Math.max(MIN_WAIT_MS, playing ? overMs : START_WAIT_MS);
      new Timer(this.#simulation, () => this.#fetchNext(medium)).setIn(Math.ceil(waitMs * 1e6));
      return;
    }
    this.#requestNext(medium);
  }

  #requestNext(medium: Medium): void {
    this.#request(medium, this.#options.choose(medium));
  }

  #request(medium: Medium, rung: number): void {
    const { segmentMs, playback } = this.#options.player;
    const segment = medium.next;
    const { bytes, neededAtMs } = this.#next(medium, rung);
    medium.rung = rung;
    medium.next = segment + 1;
    const onDone = (done: CarriedRequest): void => {
      medium.inFlight = undefined;
      const at = { rung, segment };
      this.#options.onEnd({ exchange: done, kind: 'media', medium, at, outcome: 'ok' });
      playback.append(medium.type, (segment + 1) * segmentMs);
      this.#fetchNext(medium);
    };
    const exchange = medium.client.fetch(bytes, onDone, neededAtMs, nameOf(rung, segment));
    medium.inFlight = { exchange, rung, segment };
    this.#options.onBegin(exchange, medium);
  }

  /** The next segment of a medium on a rung. */
  #next({ sizes, next }: Medium, rung: number): { bytes: number; neededAtMs: number } {
    const { segmentMs, playback } = this.#options.player;
    const nowMs = this.#simulation.nowNs / 1e6;
    return {
      bytes: sizes[rung]?.[next] ?? 0,
      neededAtMs: nowMs + next * segmentMs - playback.positionMs,
    };
  }

  #dueOf(medium: Medium): NextDue {
    const known = this.#due.get(medium) ?? new NextDue();
    this.#due.set(medium, known);
    return known;
  }
}

const nameOf = (rung: number, segment: number): string => `${rung}/${segment}`;
