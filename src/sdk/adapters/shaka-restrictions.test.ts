import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowedVariants, ANY_SIZE } from './shaka-restrictions';
import type { ShakaRestrictions, ShakaVariant } from './shaka-types';

/** Shaka's defaults. */
const NONE: ShakaRestrictions = {
  ...{ minWidth: 0, maxWidth: Infinity, minHeight: 0, maxHeight: Infinity },
  ...{ minPixels: 0, maxPixels: Infinity, minFrameRate: 0, maxFrameRate: Infinity },
  ...{ minBandwidth: 0, maxBandwidth: Infinity, minChannelsCount: 0, maxChannelsCount: Infinity },
};

type Video = Partial<NonNullable<ShakaVariant['video']>>;

const variant = (bandwidth: number, video: Video, channelsCount?: number): ShakaVariant => ({
  id: bandwidth,
  bandwidth,
  video: { id: 1, originalId: 'v', codecs: 'avc1', ...video },
  audio: { id: 2, originalId: 'a', codecs: 'mp4a', ...(channelsCount ? { channelsCount } : {}) },
});

const HD = variant(3e6, { width: 1920, height: 1080, frameRate: 50 }, 6);
const PORTRAIT = variant(2e6, { width: 720, height: 1280, frameRate: 25 }, 2);
const SD = variant(1e6, { width: 640, height: 360, frameRate: 25 }, 2);
const P720 = variant(2e6, { width: 1280, height: 720, frameRate: 25 }, 2);
const UNKNOWN = variant(5e5, {});
const ALL = [HD, PORTRAIT, SD, UNKNOWN];

describe('the variants within the restrictions of Shaka Player', () => {
  it.each<[Partial<ShakaRestrictions>, ShakaVariant[]]>([
    [{}, ALL],
    [{ maxHeight: 720 }, [PORTRAIT, SD, UNKNOWN]],
    [{ minWidth: 1000 }, [HD, PORTRAIT, UNKNOWN]],
    [{ maxPixels: 1280 * 720 }, [PORTRAIT, SD, UNKNOWN]],
    [{ maxFrameRate: 30 }, [PORTRAIT, SD, UNKNOWN]],
    [{ minChannelsCount: 3 }, [HD, UNKNOWN]],
    [{ maxBandwidth: 1e6 }, [SD, UNKNOWN]],
  ])('%j', (restrictions, expected) => {
    expect(allowedVariants(ALL, { ...NONE, ...restrictions }, ANY_SIZE)).toEqual(expected);
  });

  it('are the lowest one where none is within, and all without restrictions', () => {
    const limits = { ...NONE, maxHeight: 240 };
    expect(allowedVariants([HD, SD, PORTRAIT], limits, ANY_SIZE)).toEqual([SD]);
    expect(allowedVariants([], limits, ANY_SIZE)).toEqual([]);
    expect(allowedVariants(ALL, undefined, ANY_SIZE)).toBe(ALL);
  });

  it.each([
    ['up to the first that covers the view', { width: 700, height: 300 }, [P720, SD, UNKNOWN]],
    ['of the size of the view', { width: 640, height: 360 }, [SD, UNKNOWN]],
    ['of any size in a larger view', { width: 3840, height: 2160 }, [HD, P720, SD, UNKNOWN]],
    ['the smallest in an element without a size', { width: 0, height: 0 }, [SD, UNKNOWN]],
  ])('are %s', (_, view, expected) => {
    expect(allowedVariants([HD, P720, SD, UNKNOWN], NONE, view)).toEqual(expected);
  });

  it('are those of the view among those of the restrictions', () => {
    const limits = { ...NONE, maxHeight: 720 };
    const view = { width: 1000, height: 700 };
    expect(allowedVariants([HD, P720, SD], limits, view)).toEqual([P720, SD]);
    expect(allowedVariants([HD, SD], limits, view)).toEqual([SD]);
  });

  it('hold for every limit on the size, whichever way the video stands', () => {
    const side = fc.integer({ min: 1, max: 4000 });
    fc.assert(
      fc.property(side, side, side, side, (width, height, maxWidth, maxHeight) => {
        const limits = { ...NONE, maxWidth, maxHeight };
        const other = variant(1, {});
        const ids = (video: Video) =>
          allowedVariants([variant(2, video), other], limits, ANY_SIZE).map(({ id }) => id);
        expect(ids({ width, height })).toEqual(ids({ width: height, height: width }));
      }),
    );
  });
});
