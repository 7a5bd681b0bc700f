import { createMediaStore, type MediaStore } from 'media-chrome/media-store/media-store.js';
import { stateMediator } from 'media-chrome/media-store/state-mediator.js';
import { requestMap } from 'media-chrome/media-store/request-map.js';
import type { StreamTracks, TextTrack } from './stream-tracks';

/** Fired at the video when the tracks or the choice among them differ. */
export const TRACKS_CHANGED = 'multipath-tracks-changed';

const mediaEvents = [TRACKS_CHANGED, 'emptied', 'loadstart'];

interface Request {
  detail?: unknown;
}

/** The tracks are dash.js's, and the library finds none in a `<video>`. */
interface Owned<T> {
  get(): T;
  set?: (value: never) => void;
  mediaEvents: string[];
}

/**
 * The library's state of the video, with qualities and tracks from dash.js instead of the element.
 * @param fullscreenElement fills the screen
 * @param tracks of the player that plays now; undefined between two streams
 */
export function createControlsStore(
  media: HTMLVideoElement,
  fullscreenElement: HTMLElement,
  tracks: () => StreamTracks | undefined,
): MediaStore {
  const few = (count: number, least: number): 'unavailable' | undefined =>
    count < least ? 'unavailable' : undefined;
  const qualities = () => tracks()?.qualities() ?? [];
  const audio = () => tracks()?.audioTracks() ?? [];
  const text = (): TextTrack[] => tracks()?.textTracks() ?? [];
  const shown = (): TextTrack[] => {
    const one = text()[tracks()?.shownText() ?? -1];
    return one ? [one] : [];
  };
  const owned: Record<string, Owned<unknown>> = {
    mediaRenditionList: { get: qualities, mediaEvents },
    mediaRenditionSelected: {
      get: () => tracks()?.chosenQuality(),
      set: (id: string) => tracks()?.chooseQuality(id),
      mediaEvents,
    },
    mediaRenditionUnavailable: { get: () => few(qualities().length, 2), mediaEvents },
    mediaAudioTrackList: { get: audio, mediaEvents },
    mediaAudioTrackEnabled: {
      get: () => audio().find(({ enabled }) => enabled)?.id,
      set: (id: string) => tracks()?.chooseAudio(id),
      mediaEvents,
    },
    mediaAudioTrackUnavailable: { get: () => few(audio().length, 2), mediaEvents },
    mediaChaptersCues: { get: () => tracks()?.chapters() ?? [], mediaEvents },
    mediaSubtitlesList: { get: text, mediaEvents },
    mediaSubtitlesShowing: { get: shown, mediaEvents },
  };
  const toggle = (force: boolean): void => {
    const on = force || shown().length === 0;
    // The stream before may have had more of them.
    const last = Math.min(lastShown, text().length - 1);
    tracks()?.showText(on ? Math.max(0, last) : -1);
  };
  /** The subtitles that `c` brings back. */
  let lastShown = -1;
  const requests = {
    mediashowsubtitlesrequest: (_state: unknown, _owners: unknown, { detail }: Request) => {
      lastShown = indexOf(detail, text());
      tracks()?.showText(lastShown);
    },
    mediadisablesubtitlesrequest: () => tracks()?.showText(-1),
    mediatogglesubtitlesrequest: (_state: unknown, _owners: unknown, { detail }: Request) =>
      toggle(detail === true),
  };
  return createMediaStore({
    media,
    fullscreenElement,
    documentElement: document,
    stateMediator: { ...stateMediator, ...owned },
    requestMap: { ...requestMap, ...requests },
    options: { noSubtitlesLangPref: true },
  });
}

/** The library names a track `cc:LANGUAGE:LABEL` or `sb:LANGUAGE:LABEL`, both parts without a colon. */
function indexOf(detail: unknown, all: readonly TextTrack[]): number {
  const [, language, label = ''] = String(detail).split(':');
  return all.findIndex(
    (one) => one.language === language && one.label === decodeURIComponent(label),
  );
}
