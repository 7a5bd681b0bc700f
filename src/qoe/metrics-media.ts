import { mergeSpans, type MediaType } from '../core';
import type { LogEvent, PlayerEvent, RequestEvent } from '../session-log';
import { defineMetrics } from './define-metric';

/** Metrics that video and audio have apart, goodput and throughput. */
export const mediaMetrics = defineMetrics([
  {
    name: 'videoBufferMeanMs',
    label: 'Video buffer, mean',
    unit: 'ms',
    better: 'higher',
    definition: 'after start-up, by time',
    compute: ({ events }) => bufferMean(events, (event) => event.videoBufferMs),
  },
  {
    name: 'audioBufferMeanMs',
    label: 'Audio buffer, mean',
    unit: 'ms',
    better: 'higher',
    definition: 'the same of audio',
    compute: ({ events }) => bufferMean(events, (event) => event.audioBufferMs),
  },
  {
    name: 'goodputBps',
    label: 'Goodput',
    unit: 'bit/s',
    better: 'higher',
    definition:
      'bytes of whole media segments over the time in which a media request was outstanding',
    compute: ({ events }) => requestRate(events, undefined, isWholeSegment),
  },
  {
    name: 'videoThroughputBps',
    label: 'Throughput, video',
    unit: 'bit/s',
    better: 'higher',
    definition: 'video bytes over the time in which a video request was outstanding',
    compute: ({ events }) => requestRate(events, 'video'),
  },
  {
    name: 'audioThroughputBps',
    label: 'Throughput, audio',
    unit: 'bit/s',
    better: 'higher',
    definition: 'the same of audio',
    compute: ({ events }) => requestRate(events, 'audio'),
  },
  {
    name: 'throughputBps',
    label: 'Throughput',
    unit: 'bit/s',
    better: 'higher',
    definition:
      'media bytes, given-up ones too, over the time in which a media request was outstanding',
    headline: true,
    compute: ({ summary }) => summary.throughputBps,
  },
]);

function isWholeSegment({ kind, outcome }: RequestEvent): boolean {
  return kind === 'media' && outcome === 'ok';
}

/** Bytes of the requests that `counts`, over the time in which any request of the type was outstanding. */
function requestRate(
  events: readonly LogEvent[],
  mediaType?: MediaType,
  counts: (request: RequestEvent) => boolean = () => true,
): number | null {
  const requests = events.filter(
    (event): event is RequestEvent =>
      event.type === 'request' &&
      ['media', 'init', 'index'].includes(event.kind) &&
      (mediaType === undefined || (event.mediaType ?? 'video') === mediaType),
  );
  const busyMs = mergeSpans(requests).reduce((sum, span) => sum + span.endMs - span.startMs, 0);
  const bytes = requests.reduce((sum, one) => sum + (counts(one) ? one.bytes : 0), 0);
  return busyMs > 0 ? (bytes * 8000) / busyMs : null;
}

/** Time-weighted mean from the first frame until everything to the end of the film is loaded. */
function bufferMean(
  events: readonly LogEvent[],
  pick: (event: PlayerEvent) => number | undefined,
): number | null {
  let sum = 0;
  let ms = 0;
  let started = false;
  let filmMs = Infinity;
  let last: { atMs: number; bufferMs: number } | undefined;
  for (const event of events) {
    if (event.type === 'startup') started = true;
    if (event.type === 'manifest') filmMs = event.durationMs ?? Infinity;
    if (event.type !== 'player') continue;
    if (last && event.monotonicMs > last.atMs) {
      sum += last.bufferMs * (event.monotonicMs - last.atMs);
      ms += event.monotonicMs - last.atMs;
    }
    const bufferMs = pick(event);
    const counts = (started || event.positionMs > 0) && bufferMs !== undefined;
    const draining = bufferMs !== undefined && event.positionMs + bufferMs >= filmMs - 500;
    last = counts && !draining ? { atMs: event.monotonicMs, bufferMs } : undefined;
  }
  return ms > 0 ? sum / ms : null;
}
