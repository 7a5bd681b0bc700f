/** One rung of the demo's ladder. */
export interface DemoRung {
  width: number;
  height: number;
  bitrateBps: number;
}

/**
 * The demo's video ladder, lowest first; about half an octave a step, up to what two good paths carry. Every rung
 * has a frame size of its own: whoever looks at the frames can tell which one is on screen.
 */
export const DEMO_LADDER: readonly DemoRung[] = [
  { width: 320, height: 180, bitrateBps: 300_000 },
  { width: 480, height: 270, bitrateBps: 600_000 },
  { width: 640, height: 360, bitrateBps: 1_000_000 },
  { width: 854, height: 480, bitrateBps: 1_800_000 },
  { width: 960, height: 540, bitrateBps: 3_000_000 },
  { width: 1120, height: 630, bitrateBps: 4_500_000 },
  { width: 1280, height: 720, bitrateBps: 6_000_000 },
];

export const SEGMENT_SECONDS = 2;
/** Length of the piece that is encoded once and then repeated: a whole number of segments. */
export const UNIT_SECONDS = 10;
const FRAME_RATE = 25;
const AUDIO_BITRATE_BPS = 128_000;

/**
 * Encodes one unit of one rung: closed groups of pictures of one segment each, and a rate kept within a second's
 * worth of buffer, so that a rung costs what it says in every segment. No B-frames: with them a repeated unit
 * would end two frames late.
 */
export function unitArgs(clipFile: string, rung: DemoRung, outFile: string): string[] {
  const rate = String(rung.bitrateBps);
  const group = String(FRAME_RATE * SEGMENT_SECONDS);
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
    ...[
      '-c:v',
      'copy',
      '-c:a',
      'aac',
      '-b:a',
      String(AUDIO_BITRATE_BPS),
      '-ar',
      '48000',
      '-ac',
      '2',
    ],
    ...['-f', 'dash', '-seg_duration', String(SEGMENT_SECONDS)],
    ...['-use_template', '1', '-use_timeline', '1'],
    ...['-init_seg_name', 'init-$RepresentationID$.m4s'],
    ...['-media_seg_name', 'chunk-$RepresentationID$-$Number%05d$.m4s'],
    // One set per media type: the default makes a set of every rung, and nothing could switch.
    ...['-adaptation_sets', 'id=0,streams=v id=1,streams=a'],
    manifestFile,
  ];
}

/** How far ffmpeg is, in seconds of output, from a piece of its `-progress` stream; undefined when it is not said. */
export function progressSeconds(text: string): number | undefined {
  const last = [...text.matchAll(/^out_time_us=(\d+)$/gm)].at(-1)?.[1];
  return last === undefined ? undefined : Number(last) / 1e6;
}
