import { ensureDemoMedia, MAX_MEDIA_SECONDS } from '../demo-media';
import { LabError } from '../errors';
import { ensureLadder } from './build-ladder';
import type { EnsureMedia, MediaOptions } from './prepared-media';
import { readMedia } from './read-media';

const DEFAULT_SECONDS = 120;

function wantedSeconds({ seconds = DEFAULT_SECONDS }: MediaOptions): number {
  if (seconds > 0 && seconds <= MAX_MEDIA_SECONDS) return seconds;
  throw new LabError(
    'BAD_OPTION',
    `media of ${String(seconds)} s: more than 0 and at most ${String(MAX_MEDIA_SECONDS)} can be made`,
  );
}

/** See {@link EnsureMedia}. */
export const ensureMedia: EnsureMedia = async (spec, options = {}) => {
  if (spec.kind === 'folder') return readMedia(spec.dir, spec.mpd);
  const seconds = wantedSeconds(options);
  if (spec.kind === 'demo') {
    const { dir } = await ensureDemoMedia({ ...options, seconds });
    return readMedia(dir, 'manifest.mpd');
  }
  const { dir, mpd } = await ensureLadder(spec, seconds, options);
  return readMedia(dir, mpd);
};
