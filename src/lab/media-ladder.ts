import { DEMO_AUDIO_BPS, DEMO_SEGMENT_SECONDS, type DemoRung } from '../scenario';

/** Length of the piece that is encoded once and then repeated: a whole number of segments. */
export const UNIT_SECONDS = 10;
const FRAME_RATE = 25;

/**
 * Encodes one unit of one rung, in closed groups of pictures of one segment each. A buffer of one second
 * enforces the rate, so that every segment has its rung's size. No B-frames: with them a repeated unit
 * would end two frames late.
 */
export function unitArgs(clipFile: string, rung: DemoRung, outFile: string): string[] {
  const rate = String(rung.bitrateBps);
  const group = String(FRAME_RATE * DEMO_SEGMENT_SECONDS);
  return [
    ...['-v', 'error', '-y', '-nostdin', '-progress', 'pipe:1', '-stats_period', '0.25'],
    ...['-stream_loop', '-1', '-i', clipFile, '-t', String(UNIT_SECONDS), '-an'],
    ...[
      '-vf',
      `fps=${String(FRAME_RATE)},scale=${String(rung.width)}:${String(rung.height)},setdar=16/9`,
    ],
    ...['-c:v', 'libx264', '-preset', 'superfast', '-profile:v', 'high', '-pix_fmt', 'yuv420p'],
    ...['-b:v', rate, '-minrate', rate, '-maxrate', rate, '-bufsize', rate],
    ...['-g', group, '-keyint_min', group, '-sc_threshold', '0', '-flags', '+cgop', '-bf', '0'],
    outFile,
  ];
}

/** Repeats the units to the wanted length and cuts them into DASH segments beside encoded audio. */
export function packageArgs(
  clipFile: string,
  unitFiles: readonly string[],
  seconds: number,
  manifestFile: string,
): string[] {
  return [
    ...['-v', 'error', '-y', '-nostdin', '-progress', 'pipe:1', '-stats_period', '0.25'],
    ...unitFiles.flatMap((file) => ['-stream_loop', '-1', '-i', file]),
    ...['-stream_loop', '-1', '-i', clipFile],
    ...unitFiles.flatMap((_, index) => ['-map', `${String(index)}:v:0`]),
    ...['-map', `${String(unitFiles.length)}:a:0`, '-t', String(seconds)],
    ...['-c:v', 'copy', '-c:a', 'aac', '-b:a', String(DEMO_AUDIO_BPS), '-ar', '48000', '-ac', '2'],
    ...['-f', 'dash', '-seg_duration', String(DEMO_SEGMENT_SECONDS)],
    ...['-use_template', '1', '-use_timeline', '1'],
    ...['-init_seg_name', 'init-$RepresentationID$.m4s'],
    ...['-media_seg_name', 'chunk-$RepresentationID$-$Number%05d$.m4s'],
    // One set per media type: by default every rung becomes a set of its own, and no player could switch.
    ...['-adaptation_sets', 'id=0,streams=v id=1,streams=a'],
    manifestFile,
  ];
}

/** ffmpeg's position in seconds of output, from a piece of its `-progress` stream; undefined if absent. */
export function progressSeconds(text: string): number | undefined {
  const last = [...text.matchAll(/^out_time_us=(\d+)$/gm)].at(-1)?.[1];
  return last === undefined ? undefined : Number(last) / 1e6;
}
