import { isPassing, PASSING_FAULT_TRIES } from './segment-rescue';

/** One answer to a request for a file of the subtitles. */
export interface SubtitleAnswer {
  url: string;
  status: number;
  /** A segment; else an initialization segment, or a file with all subtitles. */
  isSegment: boolean;
  /** dash.js has another BaseURL left. */
  otherBaseUrl: boolean;
  /** The stream is live: a missing segment may still be written. */
  live: boolean;
}

export type SubtitleAction = 'keep' | 'skip' | 'turn-off';

/**
 * Recovery from subtitles that cannot be fetched. dash.js by itself ends playback for one missing file of them. Here a
 * missing segment is skipped. Without the rest they are turned off.
 */
export class SubtitleRescue {
  readonly #tries = new Map<string, number>();

  judge({ url, status, isSegment, otherBaseUrl, live }: SubtitleAnswer): SubtitleAction {
    const tries = (this.#tries.get(url) ?? 0) + 1;
    this.#tries.delete(url);
    if (status < 400 || otherBaseUrl) return 'keep';
    if ((live || isPassing(status)) && tries < PASSING_FAULT_TRIES) {
      this.#tries.set(url, tries);
      return 'keep';
    }
    return isSegment ? 'skip' : 'turn-off';
  }
}
