/**
 * Path-aware adaptation for hls.js, as its ABR controller.
 * @packageDocumentation
 */
import type HlsPlayer from 'hls.js';
import type { AbrController } from 'hls.js';
import { loadPolicy, type MultipathCoreOptions } from '../player';
import { HlsView, hlsAbrController } from './adapters/hls-abr';
import { ADAPTER_OPTIONS, checkOptions, checkPlayer } from './check-options';
import type { Multipath } from './embed';
import { embedCore, type MultipathCore } from './embed-core';

/** Options of an adapter; all but `video` may be left out. */
export type AdapterOptions = Omit<MultipathCoreOptions, 'observe' | 'player'>;

/** Path-aware adaptation of one hls.js player. */
export interface HlsMultipath extends Multipath {
  /** Part of the configuration of the hls.js player; use it for one. */
  readonly config: { abrController: typeof AbrController };
}

/**
 * Prepares path-aware adaptation for one hls.js player. Without path data hls.js chooses as ever.
 * Rejects with an `OptionError` naming the option that is wrong.
 * @param Hls the class of hls.js
 *
 * @example
 * ```ts
 * import Hls from 'hls.js';
 * import { createHlsMultipath } from '@multipath-dash/sdk/hls';
 *
 * const video = document.querySelector('video')!;
 * const multipath = await createHlsMultipath(Hls, { video });
 * const hls = new Hls(multipath.config);
 * hls.loadSource('https://media.example/stream.m3u8');
 * hls.attachMedia(video);
 * // later
 * multipath.destroy();
 * hls.destroy();
 * ```
 */
export async function createHlsMultipath(
  Hls: typeof HlsPlayer,
  options: AdapterOptions,
): Promise<HlsMultipath> {
  checkPlayer(Hls, 'Hls', 'the class Hls of hls.js', ['DefaultConfig', 'version']);
  checkOptions(options, ADAPTER_OPTIONS);
  await loadPolicy(options.policy ?? '');
  const view = new HlsView(options.video);
  const core: MultipathCore = embedCore({
    ...options,
    player: `hls.js ${Hls.version}`,
    observe: () => view.state(),
  });
  return { ...core, config: { abrController: hlsAbrController(Hls, core, view) } };
}

export { OptionError } from './errors';
export type { Multipath } from './embed';
export type { On, PlayerEvents } from './events';
