import type { MediaPlayerClass, Representation } from 'dashjs';
import { finite, type DashRequest, type ExtensionThis } from './dash-types';
import type { LookAhead, NextRequests } from '../requests/next-requests';

type GetRequest = (mediaInfo: unknown, representation: Representation) => DashRequest | null;

interface DashHandler extends LookAhead {
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
 * Works around a defect of dash.js 5.2.1: with a SegmentTimeline manifest it cannot repeat a segment. Its
 * getter ignores the index and always steps on, so every abandoned request leaves a hole of one segment. A
 * request by time returns the right one. dash.js takes one extension of its handlers, so this one hands them to
 * `nextRequests` too. Call before `initialize()`.
 */
export function mendRepeatedSegments(player: MediaPlayerClass, nextRequests: NextRequests): void {
  function RepeatableHandler(this: ExtensionThis<DashHandler>): Partial<DashHandler> {
    nextRequests.add(this.parent);
    // dash.js writes the overrides into the parent object itself, so its own functions are read first.
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
