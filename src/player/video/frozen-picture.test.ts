import { describe, expect, it } from 'vitest';
import { initialFrozenPicture, observePicture, type FrozenPictureState } from './frozen-picture';

/** One observation every 500 ms. */
function run(decoded: readonly (number | undefined)[], expected = true): [number, number][] {
  let state: FrozenPictureState = initialFrozenPicture;
  return decoded.flatMap((frames, index) => {
    const nowMs = index * 500;
    const result = observePicture(state, { decoded: frames, expected, nowMs });
    state = result.state;
    return result.jumpMs === undefined ? [] : [[nowMs, result.jumpMs]];
  });
}

const steady = (looks: number, from = 0): number[] =>
  Array.from({ length: looks }, (_, look) => from + look * 12);
const still = (looks: number, at: number): number[] => Array.from({ length: looks }, () => at);

describe('observePicture', () => {
  it('resets the decoder in place, then skips segments', () => {
    expect(run([...steady(6), ...still(32, 60)])).toEqual([
      [7500, 50],
      [12_500, 2000],
      [17_500, 2000],
    ]);
  });

  it('continues skipping segments after a jump that yields only a few frames', () => {
    expect(run([...steady(6), ...still(10, 60), ...still(11, 90)])).toEqual([
      [7500, 50],
      [13_000, 2000],
    ]);
  });

  it('starts over after steady pictures', () => {
    const jumps = run([...steady(6), ...still(11, 60), ...steady(6, 72), ...still(12, 132)]);
    expect(jumps.map(([, jumpMs]) => jumpMs)).toEqual([50, 50]);
  });

  it('ignores a slide show, a pause, an empty buffer and audio alone', () => {
    expect(run(Array.from({ length: 80 }, (_, look) => Math.floor(look / 16)))).toEqual([]);
    expect(run([...steady(6), ...still(40, 60)], false)).toEqual([]);
    expect(run(Array.from({ length: 40 }, () => undefined))).toEqual([]);
  });
});
