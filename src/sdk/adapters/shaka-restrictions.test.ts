import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allowedVariants } from './shaka-restrictions';
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
    expect(allowedVariants(ALL, { ...NONE, ...restrictions })).toEqual(expected);
  });

  it('are the lowest one where none is within, and all without restrictions', () => {
    expect(allowedVariants([HD, SD, PORTRAIT], { ...NONE, maxHeight: 240 })).toEqual([SD]);
    expect(allowedVariants([], { ...NONE, maxHeight: 240 })).toEqual([]);
    expect(allowedVariants(ALL, undefined)).toBe(ALL);
  });

  it('hold for every limit on the size, whichever way the video stands', () => {
    const side = fc.integer({ min: 1, max: 4000 });
    fc.assert(
      fc.property(side, side, side, side, (width, height, maxWidth, maxHeight) => {
        const limits = { ...NONE, maxWidth, maxHeight };
        const other = variant(1, {});
        const ids = (video: Video) =>
          allowedVariants([variant(2, video), other], limits).map(({ id }) => id);
        expect(ids({ width, height })).toEqual(ids({ width: height, height: width }));
      }),
    );
  });
});
