import type { MediaSizes, MediaSpec } from '../../scenario';
import type { DemoMediaProgress } from '../demo-media';

export interface MediaOptions {
  /** Minimum duration; media of kind `folder` keep theirs. 120 when absent. */
  seconds?: number;
  /** `$XDG_CACHE_HOME/multipath-dash` or `~/.cache/multipath-dash` when absent. */
  cacheDir?: string;
  onProgress?: (progress: DemoMediaProgress) => void;
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

/**
 * Makes or finds the media of a scenario. The first call needs the network (the demo's clip), so call it
 * before entering a sandbox.
 * @throws LabError TOOL_MISSING, MEDIA_FAILED with file and element, COMMAND_FAILED, BAD_OPTION
 */
export type EnsureMedia = (spec: MediaSpec, options?: MediaOptions) => Promise<PreparedMedia>;
