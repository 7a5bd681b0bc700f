import { join } from 'node:path';
import { DEMO_AUDIO_BPS, DEMO_LADDER, DEMO_SEGMENT_SECONDS } from '../scenario';
import { LabError } from './errors';
import { buildLadder } from './media/build-ladder';
import { defaultCacheDir } from './media/cache';
import { UNIT_SECONDS, type LadderSpec } from './media/ladder-plan';
import type { PreparedMediaOptions } from './media/prepared-media';

/** Increased with every change of the encoding, so that cached media of an older one are not used. */
const MEDIA_VERSION = 'demo-v2';
/** Least length of the demo's film. Chosen; no measurement. */
const DEFAULT_SECONDS = 120;
/** Longest media that the demo makes. */
export const MAX_MEDIA_SECONDS = 3_600;

const spec: LadderSpec = {
  kind: 'ladder',
  videoBps: DEMO_LADDER.map(({ bitrateBps }) => bitrateBps),
  audioBps: [DEMO_AUDIO_BPS],
  segmentMs: DEMO_SEGMENT_SECONDS * 1000,
};
const rungs = DEMO_LADDER.map((rung) => ({ ...rung, encodedBps: rung.bitrateBps }));

/** Length of the media. @throws LabError BAD_OPTION */
export function mediaSeconds({ seconds = DEFAULT_SECONDS }: PreparedMediaOptions): number {
  if (seconds > 0 && seconds <= MAX_MEDIA_SECONDS) return seconds;
  throw new LabError(
    'BAD_OPTION',
    `media of ${seconds} s: more than 0 and at most ${MAX_MEDIA_SECONDS} can be made`,
  );
}

/**
 * The demo's media: a real clip, repeated, as a seven-rung H.264 ladder with 2 s segments and AAC audio as a
 * set of its own. They are made once and cached, and so are the encoded rungs, which serve every length. The
 * first call needs the network, so call it before entering a sandbox.
 * @returns the folder to serve
 * @throws LabError TOOL_MISSING, MEDIA_FAILED, COMMAND_FAILED with ffmpeg's message, BAD_OPTION
 */
export async function ensureDemoMedia(
  options: PreparedMediaOptions = {},
): Promise<{ dir: string }> {
  const wanted = Math.max(mediaSeconds(options), DEFAULT_SECONDS);
  const seconds = Math.ceil(wanted / UNIT_SECONDS) * UNIT_SECONDS;
  const cacheDir = options.cacheDir ?? defaultCacheDir();
  const dir = join(cacheDir, `${MEDIA_VERSION}-${seconds}s`);
  const unitsDir = join(cacheDir, `${MEDIA_VERSION}-units`);
  await buildLadder({ spec, rungs, seconds, cacheDir, dir, unitsDir }, options);
  return { dir };
}
