/**
 * The decisions of multipath-dash for any player: `createMultipathCore` observes it, forecasts what the paths will
 * carry, and decides about rungs.
 * @packageDocumentation
 */
import { createMultipathCore as createCore, loadPolicy } from '../player';
import type { Forecast } from '../core';
import type { MultipathCore as Inner, MultipathCoreOptions, RungChoice } from '../player';
import type { MediaType } from '../core';
import { ADAPTER_OPTIONS, checkOptions } from './check-options';
import { embed, type Multipath } from './embed';

const OPTIONS = ['video', 'observe', 'player', ...ADAPTER_OPTIONS.slice(1)];
const REQUIRED = 3;

/** Path-aware decisions for a player of any kind. */
export interface MultipathCore
  extends
    Multipath,
    Pick<
      Inner,
      | 'begin'
      | 'error'
      | 'manifest'
      | 'nowMs'
      | 'requestEnded'
      | 'requestProgress'
      | 'requestStarted'
    > {
  /** The expected rate of the network, from the best available source. */
  forecast(): Forecast;
  /** The forecast where it may be decided with; undefined without path data. */
  trusted(): Forecast | undefined;
  /** Rung for the next segment; undefined without path data: the player's own rules decide. */
  decide(mediaType: MediaType): RungChoice | undefined;
}

/**
 * Makes the core for one stream of one player. Report every request to it, ask it for every rung.
 * Rejects with an `OptionError` naming the option that is wrong.
 *
 * @example
 * ```ts
 * import { createMultipathCore, type PlayerState } from '@multipath-dash/sdk/core';
 *
 * declare const myPlayer: { video: HTMLVideoElement; state(): PlayerState; load(url: string): void };
 *
 * const url = 'https://media.example/stream.mpd';
 * const core = await createMultipathCore({
 *   player: 'my player 1.0',
 *   video: myPlayer.video,
 *   observe: () => myPlayer.state(),
 * });
 * core.begin(url);
 * myPlayer.load(url);
 * // before each segment
 * const choice = core.decide('video');
 * console.log(choice ? choice.rung : 'as my player chooses', core.forecast().rateBps);
 * ```
 */
export async function createMultipathCore(options: MultipathCoreOptions): Promise<MultipathCore> {
  checkOptions(options, OPTIONS, REQUIRED);
  await loadPolicy(options.policy ?? '');
  return embedCore(options);
}

/** The same, once the policy's code is there. */
export function embedCore(options: MultipathCoreOptions): MultipathCore {
  const { inner, multipath } = embed(options, (connected) =>
    createCore({ ...options, ...connected }),
  );
  return {
    ...multipath,
    nowMs: () => inner.nowMs(),
    begin: (manifestUrl) => inner.begin(manifestUrl),
    manifest: (kind, durationMs) => inner.manifest(kind, durationMs),
    requestStarted: (request) => inner.requestStarted(request),
    requestProgress: (requestId, bytesLoaded) => inner.requestProgress(requestId, bytesLoaded),
    requestEnded: (requestId, result) => inner.requestEnded(requestId, result),
    error: (error) => inner.error(error),
    forecast: () => inner.forecast(),
    trusted: () => inner.trusted(),
    decide: (mediaType) => inner.decide(mediaType),
  };
}

export { OptionError } from './errors';
export type { Multipath } from './embed';
export type { On, PlayerEvents } from './events';
export type {
  MultipathCoreOptions,
  PlayerState,
  RequestBegun,
  RequestResult,
  RungChoice,
} from '../player';
