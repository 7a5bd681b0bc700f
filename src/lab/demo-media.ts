import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DEMO_LADDER, DEMO_SEGMENT_SECONDS, type DemoRung } from '../scenario';
import { withLock } from './build-lock';
import { ensureDemoClip } from './demo-clip';
import { LabError } from './errors';
import { packageArgs, UNIT_SECONDS, unitArgs } from './media-ladder';
import { defaultCacheDir, ffmpeg, removeLeftovers } from './media/cache';

/** Increased with every change of the encoding, so that cached media of an older one are not used. */
const MEDIA_VERSION = 'demo-v2';
const DEFAULT_SECONDS = 120;
/** Longest media that are made. */
export const MAX_MEDIA_SECONDS = 3_600;
/** Share of cutting and audio in the whole work; the rest is encoding the rungs. */
const PACKAGE_SHARE = 0.2;
/** Decoding and scaling the source cost about this many pixels, even for the smallest frame. */
const BASE_PIXELS = 200_000;

export interface DemoMediaProgress {
  /** 0 to 1 of the whole work. */
  fraction: number;
  /** The current step, for a person. */
  step: string;
}

export interface DemoMediaOptions {
  /** Minimum duration; 120 when absent. */
  seconds?: number;
  /** `$XDG_CACHE_HOME/multipath-dash` or `~/.cache/multipath-dash` when absent. */
  cacheDir?: string;
  onProgress?: (progress: DemoMediaProgress) => void;
  signal?: AbortSignal;
}

export interface DemoMedia {
  /** Folder to serve. */
  dir: string;
  manifestFile: string;
  seconds: number;
}

type Report = (fraction: number, step: string) => void;

function wholeSeconds(wanted: number): number {
  if (!Number.isFinite(wanted) || wanted <= 0 || wanted > MAX_MEDIA_SECONDS) {
    throw new LabError(
      'BAD_OPTION',
      `seconds ${String(wanted)} is not between 1 and ${String(MAX_MEDIA_SECONDS)}`,
    );
  }
  return Math.ceil(Math.max(wanted, DEFAULT_SECONDS) / UNIT_SECONDS) * UNIT_SECONDS;
}

function cost(rung: DemoRung): number {
  return rung.width * rung.height + BASE_PIXELS;
}

/** Encodes the missing rungs. */
async function ensureUnits(
  clipFile: string,
  cacheDir: string,
  report: Report,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const dir = join(cacheDir, `${MEDIA_VERSION}-units`);
  await mkdir(dir, { recursive: true });
  const total = DEMO_LADDER.reduce((sum, rung) => sum + cost(rung), 0);
  const files: string[] = [];
  let done = 0;
  for (const rung of DEMO_LADDER) {
    const name = `${String(rung.height)}p-${String(rung.bitrateBps / 1000)}k`;
    const file = join(dir, `${name}.mp4`);
    const step = `encoding ${name}bit`;
    const at = (share: number): void =>
      report(((1 - PACKAGE_SHARE) * (done + cost(rung) * Math.min(share, 1))) / total, step);
    at(0);
    if (!existsSync(file)) {
      const partFile = join(dir, `part-${name}.mp4`);
      await ffmpeg(unitArgs(clipFile, rung, partFile), (now) => at(now / UNIT_SECONDS), signal);
      await rename(partFile, file);
    }
    done += cost(rung);
    files.push(file);
  }
  return files;
}

async function build(options: DemoMediaOptions, cacheDir: string, media: DemoMedia): Promise<void> {
  const report: Report = (fraction, step) => options.onProgress?.({ fraction, step });
  report(0, 'fetching the clip');
  const clipFile = await ensureDemoClip(cacheDir, options.signal);
  const unitFiles = await ensureUnits(clipFile, cacheDir, report, options.signal);
  const partDir = await mkdtemp(join(cacheDir, 'part-'));
  try {
    const step = `cutting into ${String(DEMO_SEGMENT_SECONDS)} s segments`;
    const args = packageArgs(clipFile, unitFiles, media.seconds, join(partDir, 'manifest.mpd'));
    await ffmpeg(
      args,
      (now) => report(1 - PACKAGE_SHARE * (1 - Math.min(now / media.seconds, 1)), step),
      options.signal,
    );
    await rename(partDir, media.dir);
  } finally {
    await rm(partDir, { recursive: true, force: true });
  }
  report(1, 'media ready');
}

/**
 * The demo's media: a real clip, repeated, as a seven-rung H.264 ladder with 2 s segments and AAC audio as a
 * set of its own. They are made once and cached. The first call needs the network, so call it before entering
 * a sandbox.
 * @throws LabError TOOL_MISSING, MEDIA_FAILED, COMMAND_FAILED with ffmpeg's message, BAD_OPTION
 */
export async function ensureDemoMedia(options: DemoMediaOptions = {}): Promise<DemoMedia> {
  const seconds = wholeSeconds(options.seconds ?? DEFAULT_SECONDS);
  const cacheDir = options.cacheDir ?? defaultCacheDir();
  const dir = join(cacheDir, `${MEDIA_VERSION}-${String(seconds)}s`);
  const media: DemoMedia = { dir, manifestFile: join(dir, 'manifest.mpd'), seconds };
  if (existsSync(media.manifestFile)) return media;
  await mkdir(cacheDir, { recursive: true });
  const onWait = (): void =>
    options.onProgress?.({ fraction: 0, step: 'waiting for another build' });
  await withLock(
    cacheDir,
    async () => {
      if (existsSync(media.manifestFile)) return;
      await removeLeftovers(cacheDir);
      await build(options, cacheDir, media);
    },
    onWait,
  );
  return media;
}
