import type { MediaSpec } from '../../scenario';
import { ensureDemoMedia, MAX_MEDIA_SECONDS } from '../demo-media';
import { LabError } from '../errors';
import { ensureLadder, MPD } from './build-ladder';
import type { MediaOptions, PreparedMedia } from './prepared-media';
import { readMedia } from './read-media';

/** Length of media where none is requested, as in the demo. */
const DEFAULT_SECONDS = 120;

function wantedSeconds({ seconds = DEFAULT_SECONDS }: MediaOptions): number {
  if (seconds > 0 && seconds <= MAX_MEDIA_SECONDS) return seconds;
  throw new LabError(
    'BAD_OPTION',
    `media of ${seconds} s: more than 0 and at most ${MAX_MEDIA_SECONDS} can be made`,
  );
}

/**
 * Makes or finds the media of a scenario. The first call needs the network (the demo's clip), so call it
 * before entering a sandbox.
 * @throws LabError TOOL_MISSING, MEDIA_FAILED with file and element, COMMAND_FAILED, BAD_OPTION
 */
export async function ensureMedia(
  spec: MediaSpec,
  options: MediaOptions = {},
): Promise<PreparedMedia> {
  if (spec.kind === 'folder') return readMedia(spec.dir, spec.mpd);
  const seconds = wantedSeconds(options);
  const { dir } =
    spec.kind === 'demo'
      ? await ensureDemoMedia({ ...options, seconds })
      : await ensureLadder(spec, seconds, options);
  return readMedia(dir, MPD);
}
