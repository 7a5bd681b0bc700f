import type { SessionMetric } from './define-metric';
import { downloadMetrics } from './metrics-download';
import { mediaMetrics } from './metrics-media';
import { playbackMetrics } from './metrics-playback';
import { transportMetrics } from './metrics-transport';
import { oneFileMetrics } from './registry.generated';

/** Every metric of a session, in the order of docs/results.md. */
export const SESSION_METRICS: readonly SessionMetric[] = [
  ...playbackMetrics,
  ...mediaMetrics,
  ...downloadMetrics,
  ...transportMetrics,
  ...oneFileMetrics,
];
