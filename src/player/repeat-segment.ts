import type { MediaPlayerClass, Representation } from 'dashjs';
import { finite, type DashRequest, type ExtensionThis } from './dash-types';

type GetRequest = (mediaInfo: unknown, representation: Representation) => DashRequest | null;

interface DashHandler {
  getNextSegmentRequest: GetRequest;
  repeatSegmentRequest: GetRequest;
  getSegmentRequestForTime: (
    mediaInfo: unknown,
    representation: Representation,
    timeSeconds: number,
  ) => DashRequest | null;
}

const SEGMENT_TIMELINE = 'SegmentTimeline';

/**
 * Mends dash.js 5.2.1: with a SegmentTimeline manifest it cannot repeat a segment. Its getter ignores the
 * index asked for and always steps on, so that every abandoned request leaves a hole of one segment.
 * Asking by time gives the right one. Call before `initialize()`.
 */
export function mendRepeatedSegments(player: MediaPlayerClass): void {
  function RepeatableHandler(this: ExtensionThis<DashHandler>): DashHandler {
    // dash.js puts ours into the parent object itself, so its own functions are taken out first.
    const { getNextSegmentRequest, getSegmentRequestForTime, repeatSegmentRequest } = this.parent;
    let last: DashRequest | null = null;
    const remember = (request: DashRequest | null): DashRequest | null => {
      last = request ?? last;
      return request;
    };
    return {
      getNextSegmentRequest: (mediaInfo, representation) =>
        remember(getNextSegmentRequest(mediaInfo, representation)),
      getSegmentRequestForTime: (mediaInfo, representation, timeSeconds) =>
        remember(getSegmentRequestForTime(mediaInfo, representation, timeSeconds)),
      repeatSegmentRequest: (mediaInfo, representation) => {
        const startSeconds = finite(last?.startTime);
        if (representation.segmentInfoType !== SEGMENT_TIMELINE || startSeconds === undefined) {
          return remember(repeatSegmentRequest(mediaInfo, representation));
        }
        const middle = startSeconds + (finite(last?.duration) ?? 0) / 2;
        return remember(getSegmentRequestForTime(mediaInfo, representation, middle));
      },
    };
  }
  player.extend('DashHandler', RepeatableHandler, true);
}
