import type { MediaSpec } from '../../scenario';
import { ensureDemoMedia, mediaSeconds } from '../demo-media';
import { ensureLadder, MPD } from './build-ladder';
import type { PreparedMediaOptions, PreparedMedia } from './prepared-media';
import { readMedia } from './read-media';

/**
 * Makes or finds the media of a scenario. The first call needs the network (the demo's clip), so call it
 * before entering a sandbox.
 * @throws LabError TOOL_MISSING, MEDIA_FAILED with file and element, COMMAND_FAILED, BAD_OPTION
 */
export async function ensureMedia(
  spec: MediaSpec,
  options: PreparedMediaOptions = {},
): Promise<PreparedMedia> {
  if (spec.kind === 'folder') return readMedia(spec.dir, spec.mpd);
  const seconds = mediaSeconds(options);
  const { dir } =
    spec.kind === 'demo'
      ? await ensureDemoMedia({ ...options, seconds })
      : await ensureLadder(spec, seconds, options);
  return readMedia(dir, MPD);
}
