import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { publish } from '../support/publish';
import { SEGMENT_SECONDS, cacheFolder } from './media';

/** Films that Shaka Packager makes, named after the feature that each one tests. */
export type PackagedFilm =
  'tracks' | 'subtitles' | 'time' | 'cues' | 'clear-key' | 'widevine' | 'low-latency';

export const PACKAGED_SECONDS = 40;
/** Period of every cue of the `cues` film. */
export const CUE_SECONDS = 4;
export const KEY_ID = '0123456789abcdef0123456789abcdef';
export const KEY = 'fedcba9876543210fedcba9876543210';

const SOURCES = path.join(cacheFolder, 'packaged-sources');
const PICTURE = 'testsrc2=size=320x180:rate=24';

/** One file a rung and language, and subtitles: the input of every packaging. */
function ensureSources(): void {
  if (existsSync(SOURCES)) return;
  const work = `${SOURCES}.${process.pid}`;
  mkdirSync(work, { recursive: true });
  const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-bf', '0'];
  const groups = ['-g', String(SEGMENT_SECONDS * 24), '-sc_threshold', '0'];
  const length = ['-t', String(PACKAGED_SECONDS)];
  const inputs = [PICTURE, 'sine=frequency=440', 'sine=frequency=660'];
  execFileSync(
    'ffmpeg',
    [
      ...['-v', 'error', ...inputs.flatMap((input) => ['-f', 'lavfi', '-i', input])],
      ...['-map', '0:v', ...x264, ...groups, '-b:v', '200k', ...length, 'low.mp4'],
      ...['-map', '0:v', ...x264, ...groups, '-b:v', '600k', ...length, 'high.mp4'],
      ...['-map', '1:a', '-c:a', 'aac', '-b:a', '64k', ...length, 'en.mp4'],
      ...['-map', '2:a', '-c:a', 'aac', '-b:a', '64k', ...length, 'de.mp4'],
    ],
    { cwd: work },
  );
  for (const [language, text] of Object.entries({ en: 'Hello', de: 'Guten Tag' })) {
    const cue = `00:00.000 --> 00:${PACKAGED_SECONDS}.000`;
    writeFileSync(path.join(work, `${language}.vtt`), `WEBVTT\n\n${cue}\n${text}\n`);
  }
  publish(work, SOURCES);
}

const source = (name: string): string => path.join(SOURCES, name);
const video = ['low', 'high'].map((name) => `in=${source(`${name}.mp4`)},stream=video`);
const english = `in=${source('en.mp4')},stream=audio,lang=en`;

/** A file for each stream, with one sidx (SegmentBase). */
const wholeFiles = (streams: readonly string[]): string[] =>
  streams.map((stream, index) => `${stream},output=stream${index}.mp4`);

/** A file for each segment. @param name `$Number$`, `$Time$` or `$Number%05d$` */
const segments = (streams: readonly string[], name: string): string[] =>
  streams.map(
    (stream, index) =>
      `${stream},init_segment=init-stream${index}.m4s,segment_template=chunk-stream${index}-${name}.m4s`,
  );

const rawKey = [
  ...['--enable_raw_key_encryption', '--keys', `label=:key_id=${KEY_ID}:key=${KEY}`],
  ...['--clear_lead', '0'],
];
const ON_DEMAND = '--generate_static_live_mpd';

const commands: Record<PackagedFilm, readonly string[]> = {
  tracks: [
    ...wholeFiles([
      ...video,
      `${english},roles=main`,
      `in=${source('de.mp4')},stream=audio,lang=de,roles=commentary`,
    ]),
    ...['en', 'de'].map(
      (lang) => `in=${source(`${lang}.vtt`)},stream=text,output=${lang}.vtt,lang=${lang}`,
    ),
  ],
  subtitles: [
    ...segments([...video, english, `in=${source('en.vtt')},stream=text,lang=en`], '$Number$'),
    ON_DEMAND,
  ],
  time: [...segments([...video, english], '$Time$'), ON_DEMAND],
  cues: [
    ...segments([...video, english], '$Number$'),
    ...[ON_DEMAND, '--ad_cues', `${CUE_SECONDS};${2 * CUE_SECONDS}`],
  ],
  'clear-key': [...wholeFiles([...video, english]), ...rawKey],
  widevine: [...wholeFiles([...video, english]), ...rawKey, '--protection_systems', 'Widevine'],
  'low-latency': [
    ...segments([...video, english], '$Number%05d$'),
    // Required in this mode. The tests write an MPD of their own, which follows the clock.
    ...['--low_latency_dash_mode=true', '--utc_timings', 'urn:mpeg:dash:utc:http-iso:2014=/time'],
  ],
};

/**
 * A film that Shaka Packager 3.8 packages once. Returns the folder of `stream.mpd`.
 * @throws Error without the packager, which the set-up fetches
 */
export function ensurePackaged(name: PackagedFilm): string {
  const folder = path.join(cacheFolder, `packaged-${name}`);
  if (existsSync(folder)) return folder;
  const packager = process.env['SHAKA_PACKAGER'];
  if (packager === undefined) {
    throw new Error('Shaka Packager is missing: `npm run setup -- --for e2e` fetches it from PyPI');
  }
  ensureSources();
  const work = `${folder}.${process.pid}`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const common = ['--segment_duration', String(SEGMENT_SECONDS), '--mpd_output', 'stream.mpd'];
  execFileSync(packager, [...commands[name], ...common], {
    cwd: work,
    stdio: 'pipe',
    timeout: 120_000,
  });
  publish(work, folder);
  return folder;
}
