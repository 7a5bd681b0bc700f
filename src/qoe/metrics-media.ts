import { mergeSpans, type MediaType } from '../core';
import type { LogEvent, PlayerEvent, RequestEvent } from './events';

/** What the summary does not keep apart: buffer and throughput of video and of audio, and goodput. */
export function mediaMetrics(events: readonly LogEvent[]): Record<string, number | null> {
  const requests = events.filter(
    (event) => event.type === 'request' && (event.kind === 'media' || event.kind === 'init'),
  ) as RequestEvent[];
  const of = (type: MediaType): RequestEvent[] =>
    requests.filter((request) => (request.mediaType ?? 'video') === type);
  const whole = (request: RequestEvent): boolean =>
    request.kind === 'media' && request.outcome === 'ok';
  return {
    videoBufferMeanMs: bufferMean(events, (event) => event.videoBufferMs),
    audioBufferMeanMs: bufferMean(events, (event) => event.audioBufferMs),
    goodputBps: rate(requests, whole),
    videoThroughputBps: rate(of('video')),
    audioThroughputBps: rate(of('audio')),
  };
}

function rate(
  requests: readonly RequestEvent[],
  counts: (request: RequestEvent) => boolean = () => true,
): number | null {
  const busyMs = mergeSpans(requests).reduce((sum, span) => sum + span.endMs - span.startMs, 0);
  const bytes = requests.reduce((sum, one) => sum + (counts(one) ? one.bytes : 0), 0);
  return busyMs > 0 ? (bytes * 8000) / busyMs : null;
}

/** Mean by time from the first frame to the moment in which everything to the end of the film is loaded. */
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
