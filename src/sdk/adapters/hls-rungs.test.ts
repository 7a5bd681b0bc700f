import { describe, expect, it } from 'vitest';
import { levelWithin, rungLevels } from './hls-rungs';

const level = (bitrate: number, codecSet = 'avc1,mp4a', videoRange: 'SDR' | 'PQ' = 'SDR') => ({
  bitrate,
  codecSet,
  videoRange,
});

/** hls.js's order: height, then codec, then bit rate. */
const levels = [
  level(600_000),
  level(2_000_000),
  level(1_500_000),
  level(1_200_000, 'hvc1,mp4a'),
  level(4_000_000),
  level(3_000_000, 'hvc1,mp4a'),
  level(3_500_000, 'avc1,mp4a', 'PQ'),
];

describe('rungs of levels', () => {
  it('ascend by bit rate, whatever the height', () => {
    expect(rungLevels(levels.slice(0, 3), 0)).toEqual([0, 2, 1]);
  });

  it.each([
    [0, [0, 2, 1, 4]],
    [5, [3, 5]],
    [6, [6]],
  ])('keep to the codecs and the dynamic range of level %i', (reference, order) => {
    expect(rungLevels(levels, reference)).toEqual(order);
  });

  it('leave out what the machine does not decode smoothly, but for the level in use', () => {
    const slow = {
      ...level(4_000_000),
      supportedResult: { decodingInfoResults: [{ smooth: false }] } as never,
    };
    expect(rungLevels([level(600_000), slow], 0)).toEqual([0]);
    expect(rungLevels([level(600_000), slow], 1)).toEqual([0, 1]);
  });

  it('follow the first level where none is known', () => {
    expect(rungLevels(levels, -1)).toEqual([0, 2, 1, 4]);
    expect(rungLevels([], -1)).toEqual([]);
  });
});

describe('the level of a rung', () => {
  const order = [0, 2, 1, 4];

  it.each([
    ['without a limit', 0, 6, 2, 1],
    ['below a cap that excludes it', 0, 1, 3, 1],
    ['below a cap that excludes the rung beneath it too', 0, 0, 3, 0],
    ['above a floor that excludes it', 4, 6, 1, 4],
  ])('%s', (_, minAutoLevel, maxAutoLevel, rung, expected) => {
    expect(levelWithin({ minAutoLevel, maxAutoLevel }, order, rung)).toBe(expected);
  });

  it('is unknown for a rung that the ladder does not have', () => {
    expect(levelWithin({ minAutoLevel: 0, maxAutoLevel: 6 }, order, 4)).toBeUndefined();
  });
});
