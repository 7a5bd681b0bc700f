import type { MediaPlayerClass, Representation } from 'dashjs';
import { describe, expect, it } from 'vitest';
import { NextRequests, type LookAhead } from '../requests/next-requests';
import { mendRepeatedSegments } from './repeat-segment';

type Handler = Record<
  'getNextSegmentRequest' | 'getSegmentRequestForTime' | 'repeatSegmentRequest',
  (mediaInfo: unknown, representation: Representation, seconds: number) => { startTime: number }
>;

/** A handler with dash.js's defect: to repeat a segment steps to the next one. */
function mended(): Handler {
  let next = 0;
  const step = () => ({ startTime: 2 * next++, duration: 2 });
  const parent: Handler & Pick<LookAhead, 'getType' | 'getStreamId'> = {
    getType: () => 'video',
    getStreamId: () => 'period',
    getNextSegmentRequest: step,
    repeatSegmentRequest: step,
    getSegmentRequestForTime: (_, __, seconds) => {
      next = Math.floor(seconds / 2);
      return step();
    },
  };
  const player = {
    extend: (name: string, extension: (this: { parent: Handler }) => Handler) => {
      expect(name).toBe('DashHandler');
      Object.assign(parent, extension.call({ parent }));
    },
  };
  mendRepeatedSegments(player as unknown as MediaPlayerClass, new NextRequests());
  return parent;
}

const timeline = { segmentInfoType: 'SegmentTimeline' } as Representation;
const template = { segmentInfoType: 'SegmentTemplate' } as Representation;

describe('mendRepeatedSegments', () => {
  it('repeats the last requested segment, by time or by index', () => {
    const handler = mended();
    handler.getNextSegmentRequest({}, timeline, 0);
    expect(handler.getNextSegmentRequest({}, timeline, 0).startTime).toBe(2);
    expect(handler.repeatSegmentRequest({}, timeline, 0).startTime).toBe(2);
    expect(handler.repeatSegmentRequest({}, timeline, 0).startTime).toBe(2);
    expect(handler.getNextSegmentRequest({}, timeline, 0).startTime).toBe(4);
    handler.getSegmentRequestForTime({}, timeline, 11);
    expect(handler.repeatSegmentRequest({}, timeline, 0).startTime).toBe(10);
  });

  it('leaves other manifests to dash.js', () => {
    const handler = mended();
    handler.getNextSegmentRequest({}, template, 0);
    expect(handler.repeatSegmentRequest({}, template, 0).startTime).toBe(2);
  });
});
