import { mean, median, mergeSpans, quantile, quantiles, type MediaType, type Span } from '../core';
import type { RequestEvent } from './events';
import type { SegmentSummary, SessionSummary } from './summary-types';

const percentileShares = Array.from({ length: 21 }, (_, i) => i / 20);

/** A segment that was downloaded whole. */
export interface LoadedSegment {
  bitrateBps: number;
  mediaStartMs: number | undefined;
}

type DownloadKeys =
  | 'abandonedRequests'
  | 'failedRequests'
  | 'segments'
  | 'throughputBps'
  | 'applicationRttMs'
  | 'applicationJitterMs';

/** Gathers what requests tell; mutable, one per session. */
export class DownloadSummary {
  private readonly media: RequestEvent[] = [];
  private readonly spans: Span[] = [];
  private bytes = 0;
  private abandoned = 0;
  private failed = 0;

  add(request: RequestEvent): void {
    if (request.outcome === 'abandoned') this.abandoned += 1;
    if (request.outcome === 'failed') this.failed += 1;
    if (request.kind !== 'media' && request.kind !== 'init') return;
    this.bytes += request.bytes;
    this.spans.push({ startMs: request.startMs, endMs: request.endMs });
    if (request.kind === 'media' && request.outcome === 'ok') this.media.push(request);
  }

  /** The last whole download of every video segment, in media order. */
  videoSegments(bitrateOf: (rung: number) => number | undefined): LoadedSegment[] {
    // By place in the film: indices start anew with every period and may move with a live window.
    const startOf = (request: RequestEvent): number => request.mediaStartMs ?? request.startMs;
    const video = this.media
      .filter((request) => request.mediaType !== 'audio')
      .sort((a, b) => startOf(a) - startOf(b));
    const kept: RequestEvent[] = [];
    for (const request of video) {
      const last = kept.at(-1);
      const again =
        last?.mediaStartMs !== undefined &&
        request.mediaStartMs !== undefined &&
        request.mediaStartMs - last.mediaStartMs <= (last.mediaDurationMs ?? 0) / 2;
      if (!again) kept.push(request);
      else if (request.endMs > last.endMs) kept[kept.length - 1] = request;
    }
    return kept.flatMap((request) => {
      const { mediaStartMs, rung } = request;
      const bitrateBps = request.bitrateBps ?? (rung === undefined ? undefined : bitrateOf(rung));
      return bitrateBps === undefined ? [] : [{ bitrateBps, mediaStartMs }];
    });
  }

  finish(): Pick<SessionSummary, DownloadKeys> {
    const busyMs = mergeSpans(this.spans).reduce((sum, one) => sum + one.endMs - one.startMs, 0);
    const segments = (['video', 'audio'] as const)
      .map((type) => summarizeType(type, this.media))
      .filter((one) => one.count > 0);
    const first = segments[0];
    return {
      abandonedRequests: this.abandoned,
      failedRequests: this.failed,
      segments,
      throughputBps: busyMs > 0 ? (this.bytes * 8000) / busyMs : null,
      applicationRttMs: first?.applicationRttMs ?? null,
      applicationJitterMs: first?.applicationJitterMs ?? null,
    };
  }
}

function summarizeType(mediaType: MediaType, all: readonly RequestEvent[]): SegmentSummary {
  const requests = all
    .filter((request) => (request.mediaType ?? 'video') === mediaType)
    .filter((request) => request.endMs > request.startMs)
    .sort((a, b) => a.startMs - b.startMs);
  const delays = requests.map((request) => request.endMs - request.startMs);
  const speeds = requests.map(
    (request) => (request.bytes * 8000) / (request.endMs - request.startMs),
  );
  const steps = delays.slice(1).map((delay, i) => Math.abs(delay - (delays[i] ?? delay)));
  const known = delays.length > 0;
  return {
    mediaType,
    count: requests.length,
    bytes: requests.reduce((sum, request) => sum + request.bytes, 0),
    delayMs: known ? { median: median(delays) ?? 0, p90: quantile(delays, 0.9) ?? 0 } : null,
    speedBps: known ? { median: median(speeds) ?? 0, p10: quantile(speeds, 0.1) ?? 0 } : null,
    delayPercentilesMs: quantiles(delays, percentileShares),
    speedPercentilesBps: quantiles(speeds, percentileShares),
    applicationRttMs: mean(delays) ?? null,
    applicationJitterMs: mean(steps) ?? null,
  };
}
