import type { LogEvent } from './events';
import { SESSION_METRICS } from './metric-table';
import type { MetricValue } from './metric-types';
import { mediaMetrics } from './metrics-media';
import type { SegmentSummary, SessionSummary } from './summary-types';

/** Values by the names of `metric-table.ts`. */
export type NamedValues = Record<string, number | null>;

/** Every number of a session, in the order of docs/results.md. `events` are those the summary was made of. */
export function sessionMetrics(
  events: readonly LogEvent[],
  summary: SessionSummary,
): MetricValue[] {
  const values: NamedValues = {
    ...playback(summary),
    ...mediaMetrics(events),
    ...downloads(summary),
    ...transport(summary),
  };
  return SESSION_METRICS.map((metric) => {
    const value = values[metric.name] ?? null;
    return { metric, value: value !== null && Number.isFinite(value) ? value : null };
  });
}

function playback(summary: SessionSummary): NamedValues {
  const { stalls, bufferMs, linearQoe } = summary;
  // Without a played stretch there is nothing that could have stalled, switched or been dropped.
  const played = (value: number): number | null => (summary.playedMs > 0 ? value : null);
  return {
    startupDelayMs: summary.startupDelayMs,
    averageVideoBitrateBps: played(summary.averageBitrateBps),
    averageAudioBitrateBps: summary.averageAudioBitrateBps,
    videoSwitches: played(summary.switches),
    videoSwitchMagnitudeBps: played(summary.switchMagnitudeBps),
    audioSwitches: played(summary.audioSwitches),
    stalls: played(stalls.count),
    stallMs: played(stalls.totalMs),
    outageRatio: played(summary.outageRatio),
    bufferMeanMs: bufferMs.mean,
    bufferMinMs: bufferMs.min,
    playedMs: summary.playedMs,
    droppedFrames: played(summary.droppedFrames),
    droppedFrameRatio:
      summary.decodedFrames > 0 ? summary.droppedFrames / summary.decodedFrames : null,
    linearQoePerSegment: linearQoe?.perSegment ?? null,
    linearQoeTotal: linearQoe?.total ?? null,
    segmentsPlayed: linearQoe?.segments ?? null,
  };
}

/** `shares` are 0 %, 5 % .. 100 %. */
const at = (shares: readonly number[] | undefined, percent: number): number | null =>
  shares?.[percent / 5] ?? null;

function downloads(summary: SessionSummary): NamedValues {
  const of = (type: string): SegmentSummary | undefined =>
    summary.segments.find((one) => one.mediaType === type);
  const video = of('video');
  const audio = of('audio');
  return {
    throughputBps: summary.throughputBps,
    applicationRttMs: video?.applicationRttMs ?? null,
    applicationJitterMs: video?.applicationJitterMs ?? null,
    audioApplicationRttMs: audio?.applicationRttMs ?? null,
    audioApplicationJitterMs: audio?.applicationJitterMs ?? null,
    segmentDelayP50Ms: at(video?.delayPercentilesMs, 50),
    segmentDelayP95Ms: at(video?.delayPercentilesMs, 95),
    segmentSpeedP50Bps: at(video?.speedPercentilesBps, 50),
    segmentSpeedP5Bps: at(video?.speedPercentilesBps, 5),
    abandonedRequests: summary.abandonedRequests,
    failedRequests: summary.failedRequests,
    errors: summary.errorCount,
  };
}

function transport(summary: SessionSummary): NamedValues {
  const seen = summary.transport !== null && summary.paths.length > 0;
  return {
    pathSwitches: seen ? summary.pathSwitches : null,
    holMeanBytes: seen ? summary.holBytes.mean : null,
    holMaxBytes: seen ? summary.holBytes.max : null,
  };
}
