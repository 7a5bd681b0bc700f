/** One rung of the demo's ladder. */
export interface DemoRung {
  width: number;
  height: number;
  bitrateBps: number;
}

/**
 * The demo's video ladder, lowest first; about half an octave per step, up to the capacity of two good paths.
 * Every rung has its own frame size, so that frames show which rung is on screen.
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

export const DEMO_AUDIO_BPS = 128_000;
export const DEMO_SEGMENT_SECONDS = 2;
