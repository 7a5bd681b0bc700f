import { readFileSync } from 'node:fs';
import path from 'node:path';
import { liveManifest as manifestOf, type LiveFilm } from '../../src/lab';
import { CHUNK_SECONDS, SEGMENT_SECONDS } from './media';

export type { LiveFilm };

const LATENCY_MS = 3000;

/** A film of two rungs that an encoder is writing now. */
export const filmOf = (
  film: Pick<LiveFilm, 'folder' | 'startedAtMs'> & Partial<LiveFilm>,
): LiveFilm => ({ segmentMs: SEGMENT_SECONDS * 1000, ...film });

/** Length of a chunk for `chunkMs`: each chunk is sent when the encoder has it. */
export const CHUNK_MS = CHUNK_SECONDS * 1000;

export interface LiveManifest {
  film: LiveFilm;
  /** The `BaseURL`. */
  baseUrl: string;
  /** Address of the server's clock. Undefined: the MPD does not name one. */
  timeUrl?: string;
  /** Folder with the MPD that describes the film; default: its own. */
  describedBy?: string;
}

/** The MPD of a live film. Low latency films ask for a latency of 3 s. */
export function liveManifest({ film, describedBy, ...rest }: LiveManifest): string {
  const mpd = readFileSync(path.join(describedBy ?? film.folder, 'stream.mpd'), 'utf8');
  const latencyMs = film.chunkMs === undefined ? undefined : LATENCY_MS;
  return manifestOf({ film, mpd, latencyMs, ...rest });
}
