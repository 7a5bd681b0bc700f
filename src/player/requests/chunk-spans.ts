import type { MediaPlayerClass } from 'dashjs';
import { isoBoxType, readableIsoBoxes } from '../../core';
import type { RequestEnd, RequestStart } from '../../estimate';
import type { Clock } from '../../ports';
import { finite, growingChunkMs, type DashRequest } from '../dashjs/dash-types';

/** The methods of the brain that take outstanding data. */
interface Listener {
  requestStarted(request: RequestStart): void;
  requestEnded(request: RequestEnd & { kind: 'media' }): void;
}

export interface ChunkSpansOptions {
  clock: Clock;
  listener: Listener;
  /** Media time up to which the encoder has written; undefined before dash.js knows it. */
  edgeMs: () => number | undefined;
}

interface Growing {
  requestId: number;
  chunkMs: number;
  mediaStartMs: number;
  /** Chunks that are here. */
  chunks: number;
  /** Start of the present wait for data; undefined while the encoder has nothing more. */
  spanStartMs: number | undefined;
  spanBytes: number;
  /** False: the present wait may include pauses of the encoder. */
  isEdgeKnown: boolean;
  /** True if there was no outstanding data for a part of the time. */
  hasIdled: boolean;
  stopTimer: () => void;
}

/**
 * Splits the request of a growing segment into the times in which data was outstanding. Between two chunks the
 * encoder has nothing more to send, so such a silence does not measure the paths. Only late chunks show a slow
 * network; a burst that arrives at once bounds the rate from below.
 */
export class ChunkSpans {
  readonly #options: ChunkSpansOptions;
  readonly #growing = new Map<DashRequest, Growing>();

  constructor(options: ChunkSpansOptions) {
    this.#options = options;
  }

  /** A request was sent and reported to the brain. */
  started(requestId: number, startMs: number, request: DashRequest): void {
    const chunkMs = growingChunkMs(request);
    const startSeconds = finite(request.startTime);
    if (chunkMs === undefined || startSeconds === undefined) return;
    const growing: Growing = {
      requestId,
      chunkMs,
      mediaStartMs: startSeconds * 1000,
      chunks: 0,
      spanStartMs: startMs,
      spanBytes: 0,
      isEdgeKnown: true,
      hasIdled: false,
      stopTimer: () => undefined,
    };
    this.#growing.set(request, growing);
    const edgeMs = this.#options.edgeMs() ?? growing.mediaStartMs;
    this.#pace(growing, startMs, growing.mediaStartMs + chunkMs - edgeMs);
  }

  /** Chunks of it were appended. */
  arrived(request: object, bytes: ArrayBuffer): void {
    const growing = this.#growing.get(request as DashRequest);
    if (!growing) return;
    growing.chunks += countChunks(bytes);
    growing.spanBytes += bytes.byteLength;
    const edgeMs = this.#options.edgeMs();
    growing.isEdgeKnown &&= edgeMs !== undefined;
    if (edgeMs === undefined || growing.spanStartMs === undefined) return;
    const readyMs = growing.mediaStartMs + (growing.chunks + 1) * growing.chunkMs;
    const waitMs = readyMs - edgeMs;
    if (waitMs > 0) this.#idle(growing, growing.spanStartMs, waitMs);
    else this.#pace(growing, growing.spanStartMs, waitMs);
  }

  /** The end of the request in the form that the estimator needs: the bytes since data was last outstanding. */
  ended<End extends RequestEnd & { mediaType?: unknown }>(request: DashRequest, end: End): End {
    const growing = this.#growing.get(request);
    this.#growing.delete(request);
    growing?.stopTimer();
    if (!growing || (!growing.hasIdled && growing.isEdgeKnown)) return end;
    // The throughput may be that of the encoder, so it judges no forecast: the end is of no media type.
    const unjudged = { ...end, mediaType: undefined };
    if (!growing.hasIdled) return unjudged;
    const startMs = Math.min(end.endMs, growing.spanStartMs ?? end.endMs);
    const firstByteMs = Math.max(startMs, end.firstByteMs ?? startMs);
    const bytes = growing.spanStartMs === undefined ? 0 : growing.spanBytes;
    return { ...unjudged, startMs, firstByteMs, bytes };
  }

  #idle(growing: Growing, startMs: number, waitMs: number): void {
    const { clock, listener } = this.#options;
    const { requestId } = growing;
    const endMs = clock.nowMs();
    const bytes = growing.spanBytes;
    listener.requestEnded({ requestId, kind: 'media', startMs, endMs, bytes, outcome: 'ok' });
    growing.spanStartMs = undefined;
    growing.spanBytes = 0;
    growing.hasIdled = true;
    growing.stopTimer = clock.after(waitMs, () => {
      growing.spanStartMs = clock.nowMs();
      growing.spanBytes = 0;
      this.#pace(growing, growing.spanStartMs, 0);
    });
  }

  /**
   * Data is due since the start of the span. With one outstanding chunk the server may have nothing for a second
   * path, so an idle path is not slow. Once the next chunk is due too, the network is late.
   * @param waitMs time until the first missing chunk is ready
   */
  #pace({ requestId, chunkMs }: Growing, startMs: number, waitMs: number): void {
    const { clock, listener } = this.#options;
    const pacedUntilMs = Math.max(startMs, clock.nowMs() + waitMs + chunkMs);
    listener.requestStarted({ requestId, startMs, pacedUntilMs });
  }
}

const MOOF = isoBoxType('moof');

/** Each CMAF chunk has one `moof` (ISO/IEC 23000-19, 7.3.2.3). */
function countChunks(bytes: ArrayBuffer): number {
  let count = 0;
  for (const { type } of readableIsoBoxes(bytes)) if (type === MOOF) count += 1;
  return count;
}

/** Media time of the live edge by dash.js's synchronized clock. */
export function liveEdgeMs(player: MediaPlayerClass, video: HTMLVideoElement): number | undefined {
  const latencySeconds = finite(player.getCurrentLiveLatency()) ?? 0;
  return latencySeconds > 0 ? (latencySeconds + video.currentTime) * 1000 : undefined;
}
