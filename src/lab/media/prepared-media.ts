import type { MediaSizes } from '../../scenario';

export interface MediaProgress {
  /** 0 to 1 of the whole work. */
  fraction: number;
  /** The current step, for a person. */
  step: string;
}

export interface PreparedMediaOptions {
  /** Minimum duration; media of kind `folder` keep theirs. 120 when absent. */
  seconds?: number;
  /** `$XDG_CACHE_HOME/multipath-dash` or `~/.cache/multipath-dash` when absent. */
  cacheDir?: string;
  onProgress?: (progress: MediaProgress) => void;
  signal?: AbortSignal;
}

/** Media ready to serve. */
export interface PreparedMedia {
  /** Folder to serve. */
  dir: string;
  /** Path of the MPD below `dir`, with `/` between folders. */
  mpd: string;
  /** Duration of the stream. */
  durationMs: number;
  sizes: MediaSizes;
}
