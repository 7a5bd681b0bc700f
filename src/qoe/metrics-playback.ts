import { defineMetrics } from './define-metric';
import type { SessionSummary } from './summary-types';

/** Without played time there are no stalls, switches or dropped frames to count. */
const played = (summary: SessionSummary, value: number): number | null =>
  summary.playedMs > 0 ? value : null;

/** Percentiles come in steps of 5 %. */
const P95_INDEX = 19;

/** Metrics of playback: rungs on screen, stalls, the buffer, QoE. */
export const playbackMetrics = defineMetrics([
  {
    name: 'startupDelayMs',
    label: 'Start-up delay',
    unit: 'ms',
    better: 'lower',
    definition: 'load call to first frame',
    headline: true,
    compute: ({ summary }) => summary.startupDelayMs,
  },
  {
    name: 'averageVideoBitrateBps',
    label: 'Average video bit rate',
    unit: 'bit/s',
    better: 'higher',
    definition: 'video on screen, weighted by played time',
    headline: true,
    compute: ({ summary }) => played(summary, summary.averageBitrateBps),
  },
  {
    name: 'averageAudioBitrateBps',
    label: 'Average audio bit rate',
    unit: 'bit/s',
    better: 'higher',
    definition: 'the same of audio',
    compute: ({ summary }) => summary.averageAudioBitrateBps,
  },
  {
    name: 'videoSwitches',
    label: 'Video switches',
    unit: '1',
    better: 'lower',
    definition: 'rung changes on screen; the first rung is none',
    headline: true,
    compute: ({ summary }) => played(summary, summary.switches),
  },
  {
    name: 'videoSwitchMagnitudeBps',
    label: 'Sum of video switches',
    unit: 'bit/s',
    better: 'lower',
    definition: 'sum of the heights of the video switches',
    compute: ({ summary }) => played(summary, summary.switchMagnitudeBps),
  },
  {
    name: 'audioSwitches',
    label: 'Audio switches',
    unit: '1',
    better: 'lower',
    definition: 'the same count of audio',
    compute: ({ summary }) => played(summary, summary.audioSwitches),
  },
  {
    name: 'stalls',
    label: 'Stalls',
    unit: '1',
    better: 'lower',
    definition: 'playback stood still for 100 ms or more after start-up',
    headline: true,
    compute: ({ summary }) => played(summary, summary.stalls.count),
  },
  {
    name: 'stallMs',
    label: 'Stalled',
    unit: 'ms',
    better: 'lower',
    definition: 'sum of the stalls',
    headline: true,
    compute: ({ summary }) => played(summary, summary.stalls.totalMs),
  },
  {
    name: 'outageRatio',
    label: 'Outage ratio',
    unit: '1',
    isShare: true,
    better: 'lower',
    definition: 'stalled over stalled plus played time',
    compute: ({ summary }) => played(summary, summary.outageRatio),
  },
  {
    name: 'bufferMeanMs',
    label: 'Buffer, mean',
    unit: 'ms',
    better: 'higher',
    definition: 'after start-up, by time; the lesser of video and audio',
    headline: true,
    compute: ({ summary }) => summary.bufferMs.mean,
  },
  {
    name: 'bufferMinMs',
    label: 'Buffer, least',
    unit: 'ms',
    better: 'higher',
    definition: 'the least of the same',
    compute: ({ summary }) => summary.bufferMs.min,
  },
  {
    name: 'liveLatencyMs',
    label: 'Live latency, mean',
    unit: 'ms',
    better: 'lower',
    definition: 'distance of the picture from the live edge while playing, by time',
    compute: ({ summary }) => summary.liveLatencyMs?.mean ?? null,
  },
  {
    name: 'liveLatencyP95Ms',
    label: 'Live latency, 95th percentile',
    unit: 'ms',
    better: 'lower',
    definition: 'the same',
    compute: ({ summary }) => summary.liveLatencyMs?.percentiles[P95_INDEX] ?? null,
  },
  {
    name: 'playedMs',
    label: 'Played',
    unit: 'ms',
    better: 'none',
    definition:
      'clock time in which the position advanced; after the last player event 300 ms at most',
    compute: ({ summary }) => summary.playedMs,
  },
  {
    name: 'droppedFrames',
    label: 'Dropped frames',
    unit: '1',
    better: 'lower',
    definition: 'frames decoded too late to be shown',
    compute: ({ summary }) => played(summary, summary.droppedFrames),
  },
  {
    name: 'droppedFrameRatio',
    label: 'Share of frames dropped',
    unit: '1',
    isShare: true,
    better: 'lower',
    definition: 'dropped over decoded frames',
    compute: ({ summary }) =>
      summary.decodedFrames > 0 ? summary.droppedFrames / summary.decodedFrames : null,
  },
  {
    name: 'linearQoePerSegment',
    label: 'Linear QoE per segment',
    unit: 'Mbit/s',
    isSigned: true,
    better: 'higher',
    definition: 'linearQoeTotal over the segments',
    headline: true,
    compute: ({ summary }) => summary.linearQoe?.perSegment ?? null,
  },
  {
    name: 'linearQoeTotal',
    label: 'Linear QoE',
    unit: 'Mbit/s',
    isSigned: true,
    better: 'higher',
    definition:
      'Yin et al.: rungs in Mbit/s, less the top rung per second stalled, less the steps; summed',
    compute: ({ summary }) => summary.linearQoe?.total ?? null,
  },
  {
    name: 'segmentsPlayed',
    label: 'Segments played',
    unit: '1',
    better: 'none',
    definition: 'video segments that the QoE counts',
    compute: ({ summary }) => summary.linearQoe?.segments ?? null,
  },
]);
