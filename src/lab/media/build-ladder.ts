import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withLock } from '../build-lock';
import { ensureDemoClip } from '../demo-clip';
import { defaultCacheDir, ffmpeg, removeLeftovers } from './cache';
import { ladderPackageArgs, ladderUnitArgs } from './ladder-commands';
import {
  checkLadder,
  ladderKey,
  type LadderSpec,
  unitSeconds,
  type VideoRung,
  videoRungs,
} from './ladder-plan';
import { padLadder } from './pad-segments';
import type { PreparedMediaOptions } from './prepared-media';

/** The MPD's name in the folder of a ladder. */
export const MPD = 'manifest.mpd';
/** Share of cutting and audio in the whole work. */
const PACKAGE_SHARE = 0.25;
/** Decoding and scaling the source cost about this many pixels per frame, whatever is encoded. */
const BASE_PIXELS = 200_000;

export interface LadderBuild {
  spec: LadderSpec;
  rungs: readonly VideoRung[];
  seconds: number;
  cacheDir: string;
  /** Folder of the media, below the cache. */
  dir: string;
  /** Folder that keeps the encoded rungs for other lengths; without it they are removed. */
  unitsDir?: string;
}

type ReportProgress = (fraction: number, step: string) => void;

/** Encodes the rungs that are missing in `dir`. */
async function encodeUnits(
  clipFile: string,
  { spec, rungs }: LadderBuild,
  dir: string,
  report: ReportProgress,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  await mkdir(dir, { recursive: true });
  const costs = rungs.map(({ width, height }) => width * height + BASE_PIXELS);
  const total = costs.reduce((sum, cost) => sum + cost, 0);
  const files: string[] = [];
  let done = 0;
  for (const [index, rung] of rungs.entries()) {
    const cost = costs[index] ?? 0;
    const name = `${rung.height}p-${rung.bitrateBps / 1000}k`;
    const file = join(dir, `${name}.mp4`);
    const step = `encoding ${name}bit`;
    const at = (now: number): void =>
      report((done + cost * Math.min(now / unitSeconds(spec.segmentMs), 1)) / total, step);
    at(0);
    if (!existsSync(file)) {
      const partFile = join(dir, `part-${name}.mp4`);
      await ffmpeg(ladderUnitArgs(clipFile, spec, rung, partFile), at, signal);
      await rename(partFile, file);
    }
    done += cost;
    files.push(file);
  }
  return files;
}

async function build(
  wanted: LadderBuild,
  { onProgress, signal }: PreparedMediaOptions,
): Promise<void> {
  const { spec, seconds, cacheDir, dir, unitsDir } = wanted;
  const report: ReportProgress = (fraction, step) => onProgress?.({ fraction, step });
  report(0, 'fetching the clip');
  const clipFile = await ensureDemoClip(cacheDir, signal);
  const workDir = await mkdtemp(join(cacheDir, 'part-'));
  try {
    const encoding: ReportProgress = (fraction, step) =>
      report(fraction * (1 - PACKAGE_SHARE), step);
    const unitFiles = await encodeUnits(clipFile, wanted, unitsDir ?? workDir, encoding, signal);
    const outDir = join(workDir, 'out');
    await mkdir(outDir);
    const step = `cutting into ${spec.segmentMs / 1000} s segments`;
    const cutting = (now: number): void =>
      report(1 - PACKAGE_SHARE * (1 - Math.min(now / seconds, 1)), step);
    cutting(0);
    const args = ladderPackageArgs(clipFile, spec, unitFiles, seconds, join(outDir, MPD));
    await ffmpeg(args, cutting, signal);
    if (spec.pictures === 'small') await padLadder(join(outDir, MPD), spec);
    await rename(outDir, dir);
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
  report(1, 'media ready');
}

/**
 * Makes a ladder, unless its folder has one. The clip is repeated, so that encoding costs the same for every length.
 * @throws LabError TOOL_MISSING, MEDIA_FAILED, COMMAND_FAILED
 */
export async function buildLadder(
  wanted: LadderBuild,
  options: PreparedMediaOptions,
): Promise<void> {
  const { cacheDir, dir } = wanted;
  const isThere = (): boolean => existsSync(join(dir, MPD));
  if (isThere()) return;
  await mkdir(cacheDir, { recursive: true });
  const onWait = (): void =>
    options.onProgress?.({ fraction: 0, step: 'waiting for another build' });
  await withLock(
    cacheDir,
    async () => {
      if (isThere()) return;
      await removeLeftovers(cacheDir);
      await build(wanted, options);
    },
    { onWait, signal: options.signal },
  );
}

/**
 * The ladder of a scenario.
 * @returns its folder
 * @throws LabError BAD_OPTION with the field, and those of {@link buildLadder}
 */
export async function ensureLadder(
  spec: LadderSpec,
  seconds: number,
  options: PreparedMediaOptions,
): Promise<{ dir: string }> {
  checkLadder(spec);
  const segmentSeconds = spec.segmentMs / 1000;
  const wholeSeconds = Math.ceil(seconds / segmentSeconds - 1e-9) * segmentSeconds;
  const cacheDir = options.cacheDir ?? defaultCacheDir();
  const dir = join(cacheDir, ladderKey(spec, wholeSeconds));
  const rungs = videoRungs(spec);
  await buildLadder({ spec, rungs, seconds: wholeSeconds, cacheDir, dir }, options);
  return { dir };
}
