import type { MediaPlayerClass } from 'dashjs';
import { NextDue, type MediaType } from '../../core';
import type { Clock } from '../../ports';
import {
  DashEvent,
  RequestType,
  finite,
  isMediaType,
  isStreamed,
  readDashRequest,
  type DashRequest,
} from '../dashjs/dash-types';
import type { GatewayRoute } from './gateway-route';
import type { NextRequests } from './next-requests';

export interface EarlyRequestsOptions {
  player: MediaPlayerClass;
  nextRequests: NextRequests;
  route: GatewayRoute;
  bufferMs: (mediaType: MediaType) => number;
  /** dash.js pauses its requests at this much. */
  bufferTargetMs: () => number;
  clock: Clock;
}

/**
 * Announces each next segment to the gateway, on the rung of the present one. The gateway fetches it over networks
 * that the present one leaves idle, and answers dash.js's own request from it. Another rung or a seek cancels it.
 */
export function announceNextRequests(options: EarlyRequestsOptions): void {
  const announced = new WeakSet<DashRequest>();
  const streams = new Map<DashRequest['mediaType'], NextDue>();
  const isDue = (request: DashRequest): boolean => {
    if (request.type !== RequestType.media || isStreamed(request)) return false;
    const stream = streams.get(request.mediaType) ?? new NextDue();
    streams.set(request.mediaType, stream);
    return stream.isDue(request, {
      loadedBytes: request.bytesLoaded ?? 0,
      totalBytes: finite(request.bytesTotal) ?? 0,
      atMs: options.clock.nowMs(),
    });
  };
  options.player.on(DashEvent.loadingProgress as never, (event: unknown) => {
    const request = readDashRequest(event);
    if (!request || announced.has(request) || !isDue(request)) return;
    const next = options.nextRequests.after(request);
    if (!next || !isMediaType(next.mediaType) || !isAvailable(next)) return;
    // Without room in the buffer dash.js waits, so the networks idle anyway.
    const durationMs = (finite(request.duration) ?? 0) * 1000;
    const bufferMs = options.bufferMs(next.mediaType) + durationMs;
    if (bufferMs >= options.bufferTargetMs()) return;
    announced.add(request);
    options.route.announce(request, next, bufferMs);
  });
}

/** True if the server has the whole segment; for a live stream its time of availability decides. */
function isAvailable({ availabilityStartTime }: DashRequest): boolean {
  return !availabilityStartTime || availabilityStartTime.getTime() <= Date.now();
}
