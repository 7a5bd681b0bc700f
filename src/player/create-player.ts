import type { MediaPlayerClass } from 'dashjs';
import { DashMultipathPlayer } from './dash-multipath-player';
import { DashEvent } from './dashjs/dash-types';
import type { DashPlayer, MultipathPlayerOptions } from './player-options';

/**
 * A dash.js player that observes the paths of the stream. Play one stream, then create a new player. It never
 * throws after `load`: failures are `error` events.
 * @param dash not initialized yet; `destroy` destroys it
 */
export function createDashPlayer(
  dash: MediaPlayerClass,
  options: MultipathPlayerOptions,
): DashPlayer {
  return new DashMultipathPlayer(dash, options);
}

/**
 * Adds the path forecast to a dash.js player that its owner drives. The session begins when dash.js asks for its
 * first manifest or gets it parsed; `destroy` ends it and leaves dash.js running.
 * @param dash not initialized yet: dash.js takes custom rules only before
 */
export function attachToDash(dash: MediaPlayerClass, options: MultipathPlayerOptions): DashPlayer {
  const player = new DashMultipathPlayer(dash, options, 'attached');
  dash.on(DashEvent.manifestLoadingStarted, (event) => {
    const { request } = event as unknown as { request: { url: string } };
    player.begin(request.url);
  });
  // A page may give `initialize` a parsed manifest, which dash.js does not load.
  dash.on(DashEvent.manifestUpdated as never, (event: { manifest: { url?: string } }) =>
    player.begin(event.manifest.url ?? document.baseURI),
  );
  return player;
}
