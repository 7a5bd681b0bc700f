import { frameRate } from '../../scenario';
import { type LadderSpec, unitSeconds, type VideoRung } from './ladder-plan';

const QUIET = ['-v', 'error', '-y', '-nostdin', '-progress', 'pipe:1', '-stats_period', '0.25'];

/**
 * Arguments of ffmpeg that encode one unit of one rung: each segment at its rate (small pictures: at most),
 * closed groups, no B-frames. A buffer of one second enforces the rate. With B-frames a repeated unit would end
 * two frames late.
 */
export function ladderUnitArgs(
  clipFile: string,
  spec: LadderSpec,
  rung: VideoRung,
  outFile: string,
): string[] {
  const rate = String(rung.encodedBps);
  const frames = String(frameRate(spec));
  const group = String((frameRate(spec) * spec.segmentMs) / 1000);
  // Padding fills the rest of small pictures' segments.
  const atLeast = spec.pictures === undefined ? ['-minrate', rate] : [];
  const scale = `scale=${rung.width}:${rung.height}`;
  return [
    ...QUIET,
    ...['-stream_loop', '-1', '-i', clipFile, '-t', String(unitSeconds(spec.segmentMs)), '-an'],
    ...['-vf', `fps=${frames},${scale},setdar=16/9`],
    ...['-c:v', 'libx264', '-preset', 'superfast', '-profile:v', 'high', '-pix_fmt', 'yuv420p'],
    ...['-b:v', rate, ...atLeast, '-maxrate', rate, '-bufsize', rate],
    ...['-g', group, '-keyint_min', group, '-sc_threshold', '0', '-flags', '+cgop', '-bf', '0'],
    outFile,
  ];
}

/** Arguments of ffmpeg that repeat the units and cut them, with encoded audio, into one set per media type. */
export function ladderPackageArgs(
  clipFile: string,
  spec: LadderSpec,
  unitFiles: readonly string[],
  seconds: number,
  manifestFile: string,
): string[] {
  const audioInput = String(unitFiles.length);
  return [
    ...QUIET,
    ...unitFiles.flatMap((file) => ['-stream_loop', '-1', '-i', file]),
    ...['-stream_loop', '-1', '-i', clipFile],
    ...unitFiles.flatMap((_, index) => ['-map', `${index}:v:0`]),
    ...spec.audioBps.flatMap(() => ['-map', `${audioInput}:a:0`]),
    ...['-t', String(seconds), '-c:v', 'copy', '-c:a', 'aac', '-ar', '48000', '-ac', '2'],
    ...spec.audioBps.flatMap((rate, index) => [`-b:a:${index}`, String(rate)]),
    ...['-f', 'dash', '-seg_duration', String(spec.segmentMs / 1000)],
    ...['-use_template', '1', '-use_timeline', spec.live === undefined ? '1' : '0'],
    ...chunking(spec),
    ...['-init_seg_name', 'init-$RepresentationID$.m4s'],
    ...['-media_seg_name', 'chunk-$RepresentationID$-$Number%05d$.m4s'],
    // By default every rung becomes a set of its own, and no player could switch.
    ...[
      '-adaptation_sets',
      spec.audioBps.length > 0 ? 'id=0,streams=v id=1,streams=a' : 'id=0,streams=v',
    ],
    manifestFile,
  ];
}

/** Each chunk of a live film is a movie fragment of its own. */
function chunking({ live }: LadderSpec): string[] {
  if (live?.chunkMs === undefined) return [];
  return ['-frag_type', 'duration', '-frag_duration', String(live.chunkMs / 1000)];
}
