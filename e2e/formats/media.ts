import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root } from '../support/electron';
import { publish } from '../support/publish';

/** Increase this with every change of the commands below, so that old media are not reused. */
const MEDIA_VERSION = 3;
const FRAMES_PER_SECOND = 24;
export const SEGMENT_SECONDS = 2;
/** Length of one film. A live stream begins inside it and must not reach its end. */
export const FILM_SECONDS = 60;
/** Length of a film in a codec that takes long to encode. */
const SHORT_SECONDS = 12;
/** Length of one CMAF chunk of the low latency film. */
export const CHUNK_SECONDS = 0.25;

/** Every film of this version of the commands. */
export const cacheFolder = path.join(root, '.cache/e2e', `formats-${MEDIA_VERSION}`);

export type FilmName =
  | 'number'
  | 'timeline'
  | 'chunked'
  | 'other-ladder'
  | 'single-file'
  | 'audio'
  | 'vp9'
  | 'av1'
  | 'hevc';

const common = [
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'],
  ...['-g', String(SEGMENT_SECONDS * FRAMES_PER_SECOND), '-sc_threshold', '0'],
  ...['-c:a', 'aac', '-b:a', '64k', '-f', 'dash', '-seg_duration', String(SEGMENT_SECONDS)],
];
const bothSets = ['-adaptation_sets', 'id=0,streams=v id=1,streams=a'];
const twoRungs = ['-map', '0:v', '-map', '0:v', '-map', '1:a', '-b:v:0', '200k', '-b:v:1', '600k'];
/** One rung of another codec, in MP4. */
const otherCodec = (...encoder: string[]): string[] => [
  ...['-t', String(SHORT_SECONDS), '-map', '0:v', '-map', '1:a', '-b:v', '300k', ...common],
  ...['-use_timeline', '0', ...bothSets, ...encoder],
];
const threeRungs = [
  ...['-map', '0:v', '-map', '0:v', '-map', '0:v', '-map', '1:a'],
  ...['-b:v:0', '150k', '-b:v:1', '300k', '-b:v:2', '700k'],
];

const commands: Record<FilmName, readonly string[]> = {
  number: [...twoRungs, ...common, '-use_timeline', '0', ...bothSets],
  // Numbered: with $Time$ ffmpeg 5.1 names the first audio segment by its negative decode time.
  timeline: [...twoRungs, ...common, ...bothSets],
  chunked: [
    ...[...twoRungs, ...common, '-use_timeline', '0', ...bothSets],
    ...['-frag_type', 'duration', '-frag_duration', String(CHUNK_SECONDS)],
  ],
  'other-ladder': [...threeRungs, ...common, '-use_timeline', '0', ...bothSets],
  'single-file': [...twoRungs, ...common, ...bothSets, '-single_file', '1'],
  audio: [
    ...['-map', '1:a', '-map', '1:a', ...common, '-b:a:0', '48k', '-b:a:1', '96k'],
    ...['-use_timeline', '0'],
  ],
  vp9: otherCodec('-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8'),
  av1: otherCodec('-c:v', 'libsvtav1', '-preset', '12'),
  // Chromium decodes HEVC only with hardware.
  hevc: otherCodec('-c:v', 'libx265', '-tag:v', 'hvc1', '-x265-params', 'log-level=error'),
};

/** A test picture with a tone, packaged once by ffmpeg. Returns the folder of `stream.mpd`. */
export function ensureFilm(name: FilmName): string {
  const folder = path.join(cacheFolder, name);
  if (existsSync(path.join(folder, 'stream.mpd'))) return folder;
  const work = `${folder}.${process.pid}`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const picture = `testsrc2=size=320x180:rate=${FRAMES_PER_SECOND}:duration=${FILM_SECONDS}`;
  const tone = `sine=frequency=440:duration=${FILM_SECONDS}`;
  const sources = ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', tone];
  execFileSync('ffmpeg', ['-v', 'error', ...sources, ...commands[name], 'stream.mpd'], {
    cwd: work,
  });
  publish(work, folder);
  return folder;
}
