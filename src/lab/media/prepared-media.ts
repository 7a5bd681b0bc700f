import type { MediaSizes, MediaSpec } from '../../scenario';
import type { DemoMediaProgress } from '../demo-media';

export interface MediaOptions {
  /** At least this long; media of the folder kind are as long as they are. 120 when absent. */
  seconds?: number;
  /** `$XDG_CACHE_HOME/multipath-dash` or `~/.cache/multipath-dash` when absent. */
  cacheDir?: string;
  onProgress?: (progress: DemoMediaProgress) => void;
  signal?: AbortSignal;
}

/** Media that lie ready. */
export interface PreparedMedia {
  /** Folder to serve. */
  dir: string;
  /** Name of the MPD below `dir`, with `/` between folders. */
  mpd: string;
  /** Whole length of the stream. */
  durationMs: number;
  sizes: MediaSizes;
}

/**
 * Makes or finds the media of a scenario. Needs the network the first time (the demo's clip), so call it before
 * entering a sandbox; at once when they are there.
 * @throws LabError TOOL_MISSING, MEDIA_FAILED naming file and element, COMMAND_FAILED, BAD_OPTION
 */
export type EnsureMedia = (spec: MediaSpec, options?: MediaOptions) => Promise<PreparedMedia>;
