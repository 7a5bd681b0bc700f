import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root } from './electron';
import { publish } from './publish';

const CLIP_SECONDS = 20;

/**
 * A small stream of two video rungs and audio: a test picture, encoded once by ffmpeg. Returns the MPD's
 * path.
 */
export function ensureClip(): string {
  const folder = path.join(root, '.cache/e2e/clip');
  const mpd = path.join(folder, 'stream.mpd');
  if (existsSync(mpd)) return mpd;
  const work = `${folder}.${process.pid}`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const picture = `testsrc2=size=640x360:rate=24:duration=${CLIP_SECONDS}`;
  const tone = `sine=frequency=440:duration=${CLIP_SECONDS}`;
  execFileSync(
    'ffmpeg',
    [
      ...['-v', 'error', '-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', tone],
      ...['-map', '0:v', '-map', '0:v', '-map', '1:a'],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '48', '-keyint_min', '48'],
      ...['-sc_threshold', '0', '-b:v:0', '300k', '-b:v:1', '900k', '-c:a', 'aac', '-b:a', '64k'],
      ...['-f', 'dash', '-seg_duration', '2'],
      ...['-adaptation_sets', 'id=0,streams=v id=1,streams=a', 'stream.mpd'],
    ],
    { cwd: work },
  );
  publish(work, folder);
  return mpd;
}
