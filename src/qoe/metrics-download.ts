import type { MediaType } from '../core';
import { defineMetrics } from './define-metric';
import type { SegmentSummary, SessionSummary } from './summary-types';

const segmentsOf = (summary: SessionSummary, type: MediaType): SegmentSummary | undefined =>
  summary.segments.find(({ mediaType }) => mediaType === type);

/** A percentile of the summary, which has every fifth. */
const at = (shares: readonly number[] | undefined, percent: number): number | null =>
  shares?.[percent / 5] ?? null;

/** Metrics of requests: delay and speed of segments, requests that did not finish, errors. */
export const downloadMetrics = defineMetrics([
  {
    name: 'applicationRttMs',
    label: 'Application RTT, video',
    unit: 'ms',
    better: 'lower',
    definition: 'mean time from GET to the complete answer, video segments',
    headline: true,
    compute: ({ summary }) => segmentsOf(summary, 'video')?.applicationRttMs ?? null,
  },
  {
    name: 'applicationJitterMs',
    label: 'Application jitter, video',
    unit: 'ms',
    better: 'lower',
    definition: 'mean absolute difference of consecutive application RTTs, video segments',
    headline: true,
    compute: ({ summary }) => segmentsOf(summary, 'video')?.applicationJitterMs ?? null,
  },
  {
    name: 'audioApplicationRttMs',
    label: 'Application RTT, audio',
    unit: 'ms',
    better: 'lower',
    definition: 'the same of audio',
    compute: ({ summary }) => segmentsOf(summary, 'audio')?.applicationRttMs ?? null,
  },
  {
    name: 'audioApplicationJitterMs',
    label: 'Application jitter, audio',
    unit: 'ms',
    better: 'lower',
    definition: 'the same of audio',
    compute: ({ summary }) => segmentsOf(summary, 'audio')?.applicationJitterMs ?? null,
  },
  {
    name: 'segmentDelayP50Ms',
    label: 'Segment delay, median',
    unit: 'ms',
    better: 'lower',
    definition: 'GET to last byte, video segments',
    compute: ({ summary }) => at(segmentsOf(summary, 'video')?.delayPercentilesMs, 50),
  },
  {
    name: 'segmentDelayP95Ms',
    label: 'Segment delay, 95th percentile',
    unit: 'ms',
    better: 'lower',
    definition: 'the same',
    compute: ({ summary }) => at(segmentsOf(summary, 'video')?.delayPercentilesMs, 95),
  },
  {
    name: 'segmentSpeedP50Bps',
    label: 'Segment speed, median',
    unit: 'bit/s',
    better: 'higher',
    definition: 'bytes over that time, video segments',
    compute: ({ summary }) => at(segmentsOf(summary, 'video')?.speedPercentilesBps, 50),
  },
  {
    name: 'segmentSpeedP5Bps',
    label: 'Segment speed, 5th percentile',
    unit: 'bit/s',
    better: 'higher',
    definition: 'the slow end of the same',
    compute: ({ summary }) => at(segmentsOf(summary, 'video')?.speedPercentilesBps, 5),
  },
  {
    name: 'abandonedRequests',
    label: 'Requests given up',
    unit: '1',
    better: 'lower',
    definition: 'by the player, of all kinds',
    compute: ({ summary }) => summary.abandonedRequests,
  },
  {
    name: 'failedRequests',
    label: 'Requests failed',
    unit: '1',
    better: 'lower',
    definition: 'of all kinds',
    compute: ({ summary }) => summary.failedRequests,
  },
  {
    name: 'errors',
    label: 'Errors',
    unit: '1',
    better: 'lower',
    definition: 'error events',
    compute: ({ summary }) => summary.errorCount,
  },
]);
