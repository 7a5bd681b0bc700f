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
  /** The place in the film. */
  positionSeconds: () => number;
  clock: Clock;
  /** The server's wall clock, in which times of availability are. */
  serverNowMs: () => number;
}

/**
 * Announces each next segment to the gateway. The gateway fetches it over networks that the present request leaves
 * idle, and answers dash.js's own request from it. Another rung or a seek cancels it.
 */
export class EarlyRequests {
  readonly #options: EarlyRequestsOptions;
  readonly #announced = new WeakSet<DashRequest>();
  readonly #streams = new Map<DashRequest['mediaType'], NextDue>();

  constructor(options: EarlyRequestsOptions) {
    this.#options = options;
    options.player.on(DashEvent.loadingProgress as never, (event: unknown) => {
      const request = readDashRequest(event);
      if (request) this.#progressed(request);
    });
  }

  /**
   * dash.js sends a request. Behind an initialization segment it needs the media segment of that rung: the networks
   * fetch both at once, and no round trip passes without media.
   */
  sent(request: DashRequest): void {
    const { clock, nextRequests, player } = this.#options;
    if (request.type !== RequestType.init) return;
    // dash.js may replace buffered media after a switch: nobody knows where it continues.
    if (player.getSettings().streaming?.buffer?.fastSwitchEnabled !== false) return;
    // The initialization segment goes first.
    clock.after(0, () => {
      const next = player.isReady() ? nextRequests.of(request) : undefined;
      if (next && this.#isAtBufferEnd(next)) this.#announce(request, next, 0);
    });
  }

  /** The segment after the present one, on its rung. */
  #progressed(request: DashRequest): void {
    if (this.#announced.has(request) || !this.#isDue(request)) return;
    const next = this.#options.nextRequests.after(request);
    if (!next) return;
    if (this.#announce(request, next, finite(request.duration) ?? 0)) this.#announced.add(request);
  }

  /** @param aheadSeconds of media that the present request brings */
  #announce(request: DashRequest, next: DashRequest, aheadSeconds: number): boolean {
    const { bufferMs, bufferTargetMs, route, serverNowMs } = this.#options;
    if (!isMediaType(next.mediaType)) return false;
    if (!isAvailable(next, serverNowMs())) return false;
    // Without room in the buffer dash.js waits, so the networks idle anyway.
    const neededInMs = bufferMs(next.mediaType) + aheadSeconds * 1000;
    if (neededInMs >= bufferTargetMs()) return false;
    route.announce(request, next, neededInMs);
    return true;
  }

  #isDue(request: DashRequest): boolean {
    if (request.type !== RequestType.media) return false;
    const stream = this.#streams.get(request.mediaType) ?? new NextDue();
    this.#streams.set(request.mediaType, stream);
    // The length of a streamed one is not known. The next one is there once this one is late.
    return (
      isStreamed(request) ||
      stream.isDue(request, {
        loadedBytes: request.bytesLoaded ?? 0,
        totalBytes: finite(request.bytesTotal) ?? 0,
        atMs: this.#options.clock.nowMs(),
      })
    );
  }

  /** False after a seek, and where dash.js will repeat a segment that it abandoned. */
  #isAtBufferEnd({ mediaType, startTime, duration }: DashRequest): boolean {
    const { bufferMs, player, positionSeconds } = this.#options;
    if (!isMediaType(mediaType)) return false;
    // A live stream begins where dash.js finds its edge.
    if (bufferMs(mediaType) <= 0 && player.isDynamic()) return false;
    const endSeconds = positionSeconds() + bufferMs(mediaType) / 1000;
    return Math.abs((finite(startTime) ?? NaN) - endSeconds) < (finite(duration) ?? 0) / 2;
  }
}

/** True if the server has the whole segment; for a live stream its time of availability decides. */
function isAvailable({ availabilityStartTime }: DashRequest, nowMs: number): boolean {
  return !availabilityStartTime || availabilityStartTime.getTime() <= nowMs;
}
