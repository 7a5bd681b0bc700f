import { type MediaType, MEDIA_TYPES } from '../core';
import type { RequestEvent } from '../session-log';
import { BusyTime } from './busy-time';
import { DownloadTimes } from './download-times';
import { RungSequence, type RungTotals } from './rung-sequence';
import type { SessionSummary } from './summary-types';

type DownloadKeys =
  | 'abandonedRequests'
  | 'failedRequests'
  | 'segments'
  | 'throughputBps'
  | 'applicationRttMs'
  | 'applicationJitterMs';

/** Accumulates the events of requests in bounded memory. Mutable, one per session. */
export class DownloadSummary {
  readonly #times: Record<MediaType, DownloadTimes> = {
    video: new DownloadTimes(),
    audio: new DownloadTimes(),
  };
  readonly #video = new RungSequence();
  readonly #busy = new BusyTime();
  #bytes = 0;
  #abandoned = 0;
  #failed = 0;

  add(request: RequestEvent): void {
    if (request.outcome === 'abandoned') this.#abandoned += 1;
    if (request.outcome === 'failed') this.#failed += 1;
    if (request.kind !== 'media' && request.kind !== 'init' && request.kind !== 'index') return;
    this.#bytes += request.bytes;
    this.#busy.add(request);
    if (request.kind !== 'media' || request.outcome !== 'ok') return;
    const mediaType = request.mediaType ?? 'video';
    this.#times[mediaType].add(request);
    if (mediaType === 'video') this.#video.add(request);
  }

  /** Rungs of the last complete download of every video segment up to a media time. */
  videoRungs(untilMs: number): RungTotals {
    return this.#video.totals(untilMs);
  }

  /** Numbers that it keeps. */
  get size(): number {
    const { video, audio } = this.#times;
    return video.size + audio.size + this.#video.size + this.#busy.size;
  }

  finish(): Pick<SessionSummary, DownloadKeys> {
    const busyMs = this.#busy.totalMs;
    const segments = MEDIA_TYPES.map((mediaType) =>
      this.#times[mediaType].summary(mediaType),
    ).filter((one) => one.count > 0);
    const first = segments[0];
    return {
      abandonedRequests: this.#abandoned,
      failedRequests: this.#failed,
      segments,
      throughputBps: busyMs > 0 ? (this.#bytes * 8000) / busyMs : null,
      applicationRttMs: first?.applicationRttMs ?? null,
      applicationJitterMs: first?.applicationJitterMs ?? null,
    };
  }
}
