import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './electron';

const CLIP_SECONDS = 30;
const SUBTITLES = `<AdaptationSet contentType="text" mimeType="text/vtt" lang="de">
      <Representation id="text-de" bandwidth="256"><BaseURL>de.vtt</BaseURL></Representation>
    </AdaptationSet>`;

/** A stream of two qualities, English and German sound and German subtitles. Returns the MPD's path. */
export function ensureLanguageClip(): string {
  const folder = path.join(root, '.cache/e2e/languages');
  const mpd = path.join(folder, 'stream.mpd');
  if (existsSync(mpd)) return mpd;
  const work = `${folder}.${process.pid}`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const lavfi = (source: string): string[] => ['-f', 'lavfi', '-i', source];
  execFileSync(
    'ffmpeg',
    [
      ...['-v', 'error', ...lavfi(`testsrc2=size=320x180:rate=24:duration=${CLIP_SECONDS}`)],
      ...lavfi(`sine=frequency=440:duration=${CLIP_SECONDS}`),
      ...lavfi(`sine=frequency=660:duration=${CLIP_SECONDS}`),
      ...['-map', '0:v', '-map', '0:v', '-map', '1:a', '-map', '2:a'],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '48', '-keyint_min', '48'],
      ...['-sc_threshold', '0', '-b:v:0', '150k', '-b:v:1', '400k', '-s:v:0', '160x90'],
      ...['-c:a', 'aac', '-b:a', '48k'],
      ...['-metadata:s:a:0', 'language=en', '-metadata:s:a:1', 'language=de'],
      ...['-f', 'dash', '-seg_duration', '2'],
      ...['-adaptation_sets', 'id=0,streams=0,1 id=1,streams=2 id=2,streams=3', 'stream.mpd'],
    ],
    { cwd: work },
  );
  writeFileSync(
    path.join(work, 'de.vtt'),
    `WEBVTT\n\n00:00.000 --> 00:${CLIP_SECONDS}.000\nGuten Tag\n`,
  );
  const manifest = path.join(work, 'stream.mpd');
  const text = readFileSync(manifest, 'utf8');
  writeFileSync(manifest, text.replace('</Period>', `${SUBTITLES}\n</Period>`));
  // Complete or absent, never partial.
  renameSync(work, folder);
  return mpd;
}
