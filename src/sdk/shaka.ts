/**
 * Path-aware adaptation for Shaka Player, as its AbrManager.
 * @packageDocumentation
 */
import { type Ladder, type MediaType, MEDIA_TYPES } from '../core';
import {
  loadPolicy,
  shakaRequestEvent,
  type MultipathCoreOptions,
  type ShakaCodes,
  type ShakaExchange,
  aheadMs,
} from '../player';
import { MultipathAbrManager } from './adapters/shaka-abr';
import type { ShakaAbrManager, ShakaPlayer } from './adapters/shaka-types';
import { ADAPTER_OPTIONS, checkOptions, checkPlayer } from './check-options';
import type { Multipath } from './embed';
import { embedCore, type MultipathCore } from './embed-core';
import { OptionError } from './errors';

/** Options of `attachShaka`; all but `video` may be left out. */
export type ShakaOptions = Omit<MultipathCoreOptions, 'observe' | 'player'>;

/** Numbers of Shaka's public enumerations (RequestType, AdvancedRequestType, Error.Code), which compilation keeps. */
const CODES: ShakaCodes = { manifest: 0, segment: 1, initSegment: 0, operationAborted: 7001 };
/** Error.Severity.CRITICAL. */
const CRITICAL = 2;

/**
 * Adds path-aware adaptation to a Shaka player. Call it before `load`. Without path data Shaka chooses as ever.
 * Rejects with an `OptionError` naming the option that is wrong.
 *
 * @example
 * ```ts
 * import shaka from 'shaka-player';
 * import { attachShaka } from '@multipath-dash/sdk/shaka';
 *
 * const video = document.querySelector('video')!;
 * const player = new shaka.Player();
 * await player.attach(video);
 * const multipath = await attachShaka(player, { video });
 * await player.load('https://media.example/stream.mpd');
 * // later
 * multipath.destroy();
 * await player.destroy();
 * ```
 */
export async function attachShaka(player: ShakaPlayer, options: ShakaOptions): Promise<Multipath> {
  checkPlayer(player, 'player', 'a Player of Shaka', ['configure', 'getAssetUri']);
  checkOptions(options, ADAPTER_OPTIONS);
  if (player.getAssetUri() !== null) {
    throw new OptionError('player', 'has loaded a stream already: attach before load()');
  }
  await loadPolicy(options.policy ?? '');
  return new ShakaAdapter(player, options).multipath;
}

class ShakaAdapter {
  readonly multipath: Multipath;
  readonly #player: ShakaPlayer;
  readonly #video: HTMLVideoElement;
  readonly #core: MultipathCore;
  readonly #requests = new WeakMap<object, number>();
  #ladders: readonly Ladder[] = [];
  #segmentMs: Partial<Record<MediaType, number>> = {};
  #announced = false;

  constructor(player: ShakaPlayer, options: ShakaOptions) {
    this.#player = player;
    this.#video = options.video;
    this.#core = embedCore({
      ...options,
      player: 'Shaka Player',
      observe: () => ({
        ladders: this.#ladders,
        bufferMs: this.#bufferMs(),
        bufferTargetMs: player.getConfiguration().streaming.bufferingGoal * 1000,
        segmentDurationMs: this.#segmentMs,
      }),
    });
    const { abrFactory } = player.getConfiguration();
    player.configure({
      abrFactory: () =>
        new MultipathAbrManager(this.#core, abrFactory() as ShakaAbrManager, (ladders) => {
          this.#ladders = ladders;
          this.#announced = false;
          this.#announce();
        }),
    });
    const undo = this.#listen();
    this.multipath = {
      ...this.#core,
      destroy: (reason) => {
        for (const one of undo) one();
        this.#core.destroy(reason);
      },
    };
  }

  #listen(): (() => void)[] {
    const player = this.#player;
    const engine = player.getNetworkingEngine();
    const filter = (type: number, request: object, context?: object): undefined => {
      this.#started(type, { ...context }, request as ShakaExchange['request']);
    };
    engine?.registerRequestFilter(filter);
    const on = (name: string, listener: (event: Event) => void): (() => void) => {
      player.addEventListener(name, listener);
      return () => player.removeEventListener(name, listener);
    };
    return [
      () => engine?.unregisterRequestFilter(filter),
      on('loading', () => this.#core.begin(player.getAssetUri() ?? '')),
      on('loaded', () => this.#announce()),
      on('downloadcompleted', (event) => this.#ended(event as unknown as ShakaExchange)),
      on('downloadfailed', (event) => this.#ended(event as unknown as ShakaExchange)),
      on('error', (event) => this.#failed((event as CustomEvent<unknown>).detail)),
    ];
  }

  #announce(): void {
    const isLive = this.#player.isLive();
    const { end } = this.#player.seekRange();
    if (this.#announced || this.#ladders.length === 0 || (!isLive && !(end > 0))) return;
    this.#announced = true;
    this.#core.manifest(isLive ? 'dynamic' : 'static', isLive ? undefined : end * 1000);
  }

  #started(
    type: number,
    context: NonNullable<ShakaExchange['context']>,
    request: ShakaExchange['request'],
  ): void {
    const { stream, segment } = context;
    const mediaType = mediaTypeOf(stream?.type);
    const isMedia = type === CODES.segment && context.type !== CODES.initSegment;
    const durationMs =
      isMedia && segment ? (segment.getEndTime() - segment.getStartTime()) * 1000 : 0;
    if (mediaType && durationMs > 0) this.#segmentMs[mediaType] = durationMs;
    const requestId = this.#core.requestStarted({
      url: request.uris[0] ?? '',
      ...(mediaType ? { mediaType } : {}),
      rung: mediaType ? this.#rungOf(mediaType, stream?.originalId ?? '') : -1,
      ...(durationMs > 0 ? { durationMs } : {}),
    });
    this.#requests.set(request, requestId);
  }

  #ended(exchange: ShakaExchange): void {
    const requestId = this.#requests.get(exchange.request);
    if (requestId === undefined) return;
    const wallNowMs = Date.now();
    // A request that is aborted before it is sent has no start, yet it must end.
    const requestStartTime = exchange.request.requestStartTime ?? wallNowMs;
    const sent = { ...exchange, request: { ...exchange.request, requestStartTime } };
    const event = shakaRequestEvent(sent, {
      codes: CODES,
      requestId,
      nowMs: this.#core.nowMs(),
      wallNowMs,
      rungOf: (mediaType, id) => this.#rungOf(mediaType, id),
    });
    if (event) this.#core.requestEnded(requestId, event);
  }

  #failed(detail: unknown): void {
    const { code, severity, message } = (detail ?? {}) as Partial<
      Record<'code' | 'severity', number> & { message: string }
    >;
    this.#core.error({
      code: code === undefined ? 'player' : `shaka-${code}`,
      message: message ?? String(detail),
      fatal: severity === undefined || severity === CRITICAL,
    });
  }

  #rungOf(mediaType: MediaType, representationId: string): number {
    const rungs = this.#ladders.find((one) => one.mediaType === mediaType)?.rungs ?? [];
    return rungs.findIndex((rung) => rung.representationId === representationId);
  }

  #bufferMs(): Partial<Record<MediaType, number>> {
    const nowSeconds = this.#video.currentTime;
    const info = this.#player.getBufferedInfo();
    const all: Partial<Record<MediaType, number>> = {};
    for (const mediaType of MEDIA_TYPES) {
      if (!this.#ladders.some((ladder) => ladder.mediaType === mediaType)) continue;
      all[mediaType] = aheadMs(info[mediaType], nowSeconds);
    }
    return all;
  }
}

function mediaTypeOf(type: string | undefined): MediaType | undefined {
  return type === 'video' || type === 'audio' ? type : undefined;
}

export { OptionError } from './errors';
export type { Multipath } from './embed';
export type { On, PlayerEvents } from './events';
export type { ShakaPlayer } from './adapters/shaka-types';
