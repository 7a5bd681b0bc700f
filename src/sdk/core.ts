/**
 * The decisions of multipath-dash for any player: `createMultipathCore` observes it, forecasts what the paths will
 * carry, and decides about rungs.
 * @packageDocumentation
 */
import { loadPolicy, type MultipathCoreOptions } from '../player';
import { ADAPTER_OPTIONS, checkOptions } from './check-options';
import { embedCore, type MultipathCore } from './embed-core';

const OPTIONS = ['video', 'observe', 'player', ...ADAPTER_OPTIONS.slice(1)];
/** Number of required options, which come first in the list. */
const REQUIRED = 3;

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

export { OptionError } from './errors';
export type { Multipath } from './embed';
export type { MultipathCore } from './embed-core';
export type { On, PlayerEvents } from './events';
export type { Forecast, Ladder, MediaType, Rung } from '../core';
export type {
  MultipathCoreOptions,
  PlayerState,
  RequestBegun,
  RequestResult,
  RungChoice,
} from '../player';
