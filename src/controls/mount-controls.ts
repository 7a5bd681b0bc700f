import './controls.css';
import type { MultipathPlayer } from '../sdk';
import { addBar, buildController, type QualityMenu } from './control-elements';
import { createControlsStore, TRACKS_CHANGED } from './controls-store';
import { EndCard } from './end-card';
import { afterFirstFrame } from './first-frame';
import { admitLibraryMarkup } from './library-markup';
import { announceStream } from './media-session';
import { forwardPageKeys } from './page-keys';
import { StreamTracks } from './stream-tracks';
import { titleOf } from './stream-title';
import type { ViewingHistory } from './viewing-history';

/** The controls around one video; they outlive its streams. */
export interface Controls {
  /** Shows this player's stream, and remembers the place. @returns the function that lets it go */
  follow(player: MultipathPlayer, label: string): () => void;
}

/** Period in which the qualities that the networks carry are marked anew. */
const MARK_PERIOD_MS = 2000;
/** A crash loses so much of the place. */
const REMEMBER_PERIOD_MS = 5000;

/**
 * Mounts the controls in place of the video, which they contain from now on. Once for a page.
 * @param subtitles dash.js draws TTML there
 */
export function mountControls(
  video: HTMLVideoElement,
  subtitles: HTMLElement,
  history: ViewingHistory,
): Controls {
  admitLibraryMarkup();
  let tracks: StreamTracks | undefined;
  const controller = buildController(video, subtitles);
  const endCard = new EndCard();
  controller.append(endCard.node);
  controller.mediaStore = createControlsStore(video, controller, () => tracks);
  forwardPageKeys(controller);
  const changed = (): void => void video.dispatchEvent(new Event(TRACKS_CHANGED));
  let qualityMenu: QualityMenu | undefined;
  afterFirstFrame(video, () => {
    qualityMenu = addBar(controller);
    // The bar lies behind it.
    controller.append(endCard.node);
  });
  // An open menu would lose its focus.
  setInterval(() => qualityMenu?.hidden && tracks && changed(), MARK_PERIOD_MS);

  return {
    follow(player, label) {
      const mine = new StreamTracks(player, changed);
      const endings = [
        () => mine.stop(),
        announceStream(video, titleOf(label)),
        endCard.follow(player, video),
        rememberPlace(video, label, history),
      ];
      tracks = mine;
      changed();
      return () => {
        for (const end of endings) end();
        if (tracks === mine) tracks = undefined;
        changed();
      };
    },
  };
}

function rememberPlace(
  video: HTMLVideoElement,
  label: string,
  history: ViewingHistory,
): () => void {
  const remember = (): void => {
    // A stream that never played is not one to come back to.
    if (video.currentTime > 0) history.watched(label, video.currentTime, video.duration);
  };
  const events = ['pause', 'ended', 'playing'] as const;
  for (const name of events) video.addEventListener(name, remember);
  window.addEventListener('pagehide', remember);
  const timer = setInterval(() => video.paused || remember(), REMEMBER_PERIOD_MS);
  return () => {
    remember();
    for (const name of events) video.removeEventListener(name, remember);
    window.removeEventListener('pagehide', remember);
    clearInterval(timer);
  };
}
