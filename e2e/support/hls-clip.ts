import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { root } from './electron';
import { publish } from './publish';

const CLIP_SECONDS = 40;
/** Bitrates of the levels; the two paths of the tests carry the highest only together. */
const levels = ['400k', '1500k', '3500k'];

/** An HLS stream of three levels in two-second fragments, made once by ffmpeg. Gives the folder of `main.m3u8`. */
export function ensureHlsClip(): string {
  const folder = path.join(root, '.cache/e2e/hls-clip');
  if (existsSync(path.join(folder, 'main.m3u8'))) return folder;
  const work = `${folder}.${process.pid}`;
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work, { recursive: true });
  const picture = `testsrc2=size=640x360:rate=24:duration=${CLIP_SECONDS},noise=alls=20:allf=t`;
  const maps = levels.flatMap(() => ['-map', '0:v']);
  const rates = levels.flatMap((rate, index) => [
    ...[`-b:v:${index}`, rate, `-maxrate:v:${index}`, rate, `-bufsize:v:${index}`, rate],
  ]);
  execFileSync(
    'ffmpeg',
    [
      ...['-v', 'error', '-f', 'lavfi', '-i', picture, ...maps],
      ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '48', '-keyint_min', '48'],
      ...['-sc_threshold', '0', ...rates],
      ...['-f', 'hls', '-hls_time', '2', '-hls_playlist_type', 'vod'],
      ...['-var_stream_map', levels.map((_, index) => `v:${index}`).join(' ')],
      ...['-master_pl_name', 'main.m3u8', '-hls_segment_filename', 'level%v-%03d.ts'],
      'level%v.m3u8',
    ],
    { cwd: work },
  );
  publish(work, folder);
  return folder;
}
