import type { Representation } from 'dashjs';
import { describe, expect, it } from 'vitest';
import { SegmentSizes } from './segment-sizes';

/** The fields of dash.js's objects that are read here. */
const representation = (more: object): Representation =>
  ({ id: 'v1', bandwidth: 1e6, segmentDuration: 2, ...more }) as unknown as Representation;
const listed = (more: object = {}): Representation =>
  representation({
    index: 1,
    startNumber: 1,
    adaptation: {
      index: 0,
      period: {
        index: 0,
        start: 10,
        mpd: {
          manifest: {
            Period: [
              {
                AdaptationSet: [
                  {
                    Representation: [
                      {},
                      {
                        SegmentList: {
                          SegmentURL: [
                            { mediaRange: '0-99' },
                            { mediaRange: '100-349' },
                            { media: 'third.m4s' },
                          ],
                        },
                      },
                    ],
                  },
                ],
              },
            ],
          },
        },
      },
    },
    ...more,
  });

describe('segment sizes', () => {
  it('come from the index', () => {
    const segments = [
      { presentationStartTime: 0, duration: 2, mediaRange: '800-1799' },
      { presentationStartTime: 2, duration: 2, mediaRange: '1800-1899' },
    ];
    const sizes = new SegmentSizes().next('video', [representation({ segments })], 0, 3);
    expect(sizes).toEqual([[1000], [100], [undefined]]);
  });

  it('come from the byte ranges of a SegmentList, on the time line of its period', () => {
    const sizes = new SegmentSizes();
    expect(sizes.next('video', [listed()], 10_000, 4)).toEqual([
      [100],
      [250],
      [undefined],
      [undefined],
    ]);
    expect(sizes.exact('video', listed(), 11_000)).toBeUndefined();
    expect(sizes.exact('video', listed({ startNumber: 5 }), 10_000)).toBeUndefined();
    expect(sizes.exact('video', listed({ adaptation: null }), 10_000)).toBeUndefined();
  });

  it('come from an earlier download, and are never guessed', () => {
    const sizes = new SegmentSizes();
    const one = representation({ segments: null });
    sizes.arrived({ mediaType: 'video', representationId: 'v1', startMs: 2000, bytes: 4321 });
    sizes.arrived({ mediaType: 'video', representationId: 'v1', startMs: 4000, bytes: 0 });
    expect(sizes.next('video', [one, representation({ id: 'v2' })], 2000, 2)).toEqual([
      [4321, undefined],
      [undefined, undefined],
    ]);
    expect(sizes.next('audio', [one], 2000, 1)).toEqual([[undefined]]);
    expect(sizes.next('video', [representation({ segmentDuration: 0 })], 0, 2)).toEqual([]);
  });
});
