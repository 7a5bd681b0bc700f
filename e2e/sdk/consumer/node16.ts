import { attach, createMultipathPlayer } from '@multipath-dash/sdk';
import { createMultipathCore, type PlayerState } from '@multipath-dash/sdk/core';
import { createHlsMultipath } from '@multipath-dash/sdk/hls';
import { mountPanel } from '@multipath-dash/sdk/panel';
import { attachShaka } from '@multipath-dash/sdk/shaka';
import { MediaPlayer } from 'dashjs';
import Hls from 'hls.js';
import shakaModule from 'shaka-player';

// Shaka Player's own types hide its default export under node16; the SDK's README gives this way around.
const shaka = shakaModule as unknown as typeof shakaModule.default;
declare const state: PlayerState;

export async function all(video: HTMLVideoElement, host: HTMLElement): Promise<void> {
  mountPanel(host, await createMultipathPlayer({ video }));
  mountPanel(host, await attach(MediaPlayer().create(), { video }));
  mountPanel(host, await attachShaka(new shaka.Player(), { video }));
  const multipath = await createHlsMultipath(Hls, { video });
  new Hls(multipath.config).destroy();
  const core = await createMultipathCore({ player: 'mine', video, observe: () => state });
  core.on('error', ({ code }) => {
    // The codes are a union: a code that does not exist is an error here.
    if (code === 'manifest-unreachable') core.destroy();
  });
}
