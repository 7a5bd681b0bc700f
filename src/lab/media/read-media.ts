import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { MediaSizes } from '../../scenario';
import { LabError } from '../errors';
import { listRungs, type MpdRung } from './mpd-segments';
import { readMpdTree } from './mpd-tree';
import type { PreparedMedia } from './prepared-media';

function isInside(root: string, file: string): boolean {
  const path = relative(root, file);
  return path !== '' && !path.startsWith('..') && !path.startsWith('/');
}

async function fileBytes(root: string, mpdFile: string, name: string): Promise<number> {
  const file = resolve(dirname(mpdFile), decodeURIComponent(name.replace(/\?.*$/, '')));
  if (!isInside(root, file)) {
    throw new LabError('MEDIA_FAILED', `${mpdFile}: segment ${name} is not inside ${root}`);
  }
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile() !== true) {
    throw new LabError('MEDIA_FAILED', `${mpdFile}: segment ${name} is not there (${file})`);
  }
  return found.size;
}

/** The usual duration: the first of the longest ladder; the last segment is often shorter. */
function segmentLength(rungs: readonly MpdRung[]): number {
  return Math.round(rungs.find((rung) => rung.type === 'video')?.durationsMs[0] ?? 0);
}

/**
 * Checks a DASH folder and measures every segment of every rung.
 * @param mpd path below `dir`
 * @throws LabError MEDIA_FAILED with the file and the problem
 */
export async function readMedia(dir: string, mpd: string): Promise<PreparedMedia> {
  const root = await realpath(dir).catch(() => undefined);
  if (root === undefined) throw new LabError('MEDIA_FAILED', `there is no media folder ${dir}`);
  const file = join(root, mpd);
  if (!isInside(root, file)) throw new LabError('MEDIA_FAILED', `${mpd} is not inside ${dir}`);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) throw new LabError('MEDIA_FAILED', `there is no MPD ${file}`);
  const { wholeMs, rungs } = listRungs(readMpdTree(text, file), file);
  const measure = async (type: MpdRung['type']): Promise<MediaSizes['video']> => {
    const ofType = rungs.filter((rung) => rung.type === type);
    return Promise.all(
      ofType.map(async ({ bitrateBps, files }) => ({
        bitrateBps,
        bytes: await Promise.all(files.map((name) => fileBytes(root, file, name))),
      })),
    );
  };
  const [video, audio] = [await measure('video'), await measure('audio')];
  return {
    dir: root,
    mpd,
    durationMs: wholeMs,
    sizes: { segmentMs: segmentLength(rungs), video, audio },
  };
}
