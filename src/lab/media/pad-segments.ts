import { open, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readableIsoBoxes } from '../../core';
import { LabError } from '../errors';
import { splitChunks } from '../live/live-film';
import type { LadderSpec } from './ladder-plan';
import { listRungs } from './mpd-segments';
import { readMpdTree } from './mpd-tree';
import { segmentBytes } from '../../scenario';

const BOX_HEADER_BYTES = 8;

/**
 * Appends a `free` box (ISO/IEC 14496-12, 8.1.2), which players skip, so that a file has an exact size. Its
 * content is a hole of the file system and takes no disk space.
 * @throws LabError MEDIA_FAILED if the file is already too large
 */
export async function padFile(file: string, bytes: number): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    const { size } = await handle.stat();
    if (size === bytes) return;
    const gap = bytes - size;
    if (gap < BOX_HEADER_BYTES) {
      throw tooLarge(file, size, bytes);
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
 * Gives a segment an exact size, and each of its CMAF chunks an equal share of it, like an encoder with a buffer of
 * one chunk. A key frame that is larger than its share takes from the other chunks. The padding is in the `mdat`,
 * behind the samples, so a chunk is complete with its last byte.
 * @throws LabError MEDIA_FAILED if the pictures are too large
 */
export async function padChunks(file: string, bytes: number): Promise<void> {
  const chunks = splitChunks(await readFile(file));
  const sizes = shareOut(
    chunks.map(({ length }) => length),
    bytes,
  );
  if (sizes === undefined) throw tooLarge(file, (await stat(file)).size, bytes);
  const handle = await open(file, 'w');
  try {
    let at = 0;
    for (const [index, chunk] of chunks.entries()) {
      const size = sizes[index] ?? chunk.length;
      growMediaData(chunk, size - chunk.length);
      await handle.write(chunk, 0, chunk.length, at);
      at += size;
    }
    await handle.truncate(at);
  } finally {
    await handle.close();
  }
}

/** Equal parts of a sum, each at least as large as its content. Undefined if the contents exceed it. */
export function shareOut(contents: readonly number[], sum: number): number[] | undefined {
  const sizes = contents.map(() => 0);
  let left = sum;
  // The largest first, because its excess over the share reduces the rest.
  const order = contents.map((_, index) => index);
  order.sort((a, b) => (contents[b] ?? 0) - (contents[a] ?? 0));
  for (const [place, index] of order.entries()) {
    const size = Math.max(contents[index] ?? 0, Math.floor(left / (order.length - place)));
    sizes[index] = size;
    left -= size;
  }
  return left < 0 ? undefined : sizes;
}

/** Adds bytes to the size of the last box of a chunk, its `mdat`. */
function growMediaData(chunk: Buffer, bytes: number): void {
  const last = [...readableIsoBoxes(chunk)].at(-1);
  if (last !== undefined) chunk.writeUInt32BE(last.end - last.start + bytes, last.start);
}

const tooLarge = (file: string, has: number, bytes: number): LabError =>
  new LabError(
    'MEDIA_FAILED',
    `${file}: small pictures take ${has} bytes, more than the ${bytes} of their rung`,
    'take higher rates or longer segments',
  );

/**
 * Pads every video segment to its rung's size, and writes the ladder's rates into the MPD.
 * @param mpdFile of a ladder as packaged: representation n of the video is rung n
 */
export async function padLadder(mpdFile: string, spec: LadderSpec): Promise<void> {
  const written = await readFile(mpdFile, 'utf8');
  const text = withRates(written, spec.videoBps);
  const { rungs } = listRungs(readMpdTree(text, mpdFile), mpdFile);
  const pad = spec.live?.chunkMs === undefined ? padFile : padChunks;
  for (const { bitrateBps, durationsMs, files } of rungs.filter(({ type }) => type === 'video')) {
    const whole = segmentBytes(bitrateBps, spec.segmentMs, files.length, spec.sizes);
    for (const [index, name] of files.entries()) {
      const share = Math.min(1, (durationsMs[index] ?? spec.segmentMs) / spec.segmentMs);
      await pad(join(dirname(mpdFile), name), Math.round((whole[index] ?? 0) * share));
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
      : element.replace(/ bandwidth="\d+"/, ` bandwidth="${rate}"`);
  });
}
