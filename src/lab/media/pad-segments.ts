import { open, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LabError } from '../errors';
import type { LadderSpec } from './ladder-plan';
import { listRungs } from './mpd-segments';
import { readMpdTree } from './mpd-tree';
import { segmentBytes } from '../../scenario';

const BOX_HEADER_BYTES = 8;

/**
 * Appends a `free` box (ISO/IEC 14496-12, 8.1.2), which players pass over, so that a file has exactly so many bytes.
 * Its content is a hole of the file system: it takes no room on the disk.
 * @throws LabError MEDIA_FAILED when the file is too large for that
 */
export async function padFile(file: string, bytes: number): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    const { size } = await handle.stat();
    if (size === bytes) return;
    const gap = bytes - size;
    if (gap < BOX_HEADER_BYTES) {
      throw new LabError(
        'MEDIA_FAILED',
        `${file}: small pictures take ${String(size)} bytes, more than the ${String(bytes)} of their rung`,
        'take higher rates or longer segments',
      );
    }
    const header = Buffer.alloc(BOX_HEADER_BYTES);
    header.writeUInt32BE(gap);
    header.write('free', 4, 'latin1');
    await handle.write(header, 0, BOX_HEADER_BYTES, size);
    await handle.truncate(bytes);
  } finally {
    await handle.close();
  }
}

/**
 * Fills every segment of video up to what its rung costs, and makes the MPD say the ladder's rates.
 * @param mpdFile of a ladder as packaged: representation n of the video is rung n
 */
export async function padLadder(mpdFile: string, spec: LadderSpec): Promise<void> {
  const written = await readFile(mpdFile, 'utf8');
  const text = withRates(written, spec.videoBps);
  const { rungs } = listRungs(readMpdTree(text, mpdFile), mpdFile);
  for (const { bitrateBps, durationsMs, files } of rungs.filter(({ type }) => type === 'video')) {
    const whole = segmentBytes(bitrateBps, spec.segmentMs, files.length, spec.sizes);
    for (const [index, name] of files.entries()) {
      const share = Math.min(1, (durationsMs[index] ?? spec.segmentMs) / spec.segmentMs);
      await padFile(join(dirname(mpdFile), name), Math.round((whole[index] ?? 0) * share));
    }
  }
  await writeFile(mpdFile, text);
}

/** The muxer writes the rates of the tiny pictures. */
function withRates(mpd: string, videoBps: readonly number[]): string {
  return mpd.replace(/<Representation id="(\d+)"[^>]*>/g, (element, id: string) => {
    const rate = videoBps[Number(id)];
    return rate === undefined
      ? element
      : element.replace(/ bandwidth="\d+"/, ` bandwidth="${String(rate)}"`);
  });
}
