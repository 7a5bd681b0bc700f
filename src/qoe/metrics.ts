import type { LogEvent } from '../session-log';
import type { SessionMetric } from './define-metric';
import { SESSION_METRICS } from './metric-table';
import type { MetricValue } from './metric-types';
import type { SessionSummary } from './summary-types';

/**
 * Every number of a session, in the order of docs/results.md. `events` are those the summary was made of.
 * @param from the metrics to compute: `[...SESSION_METRICS, mine]` adds another
 */
export function sessionMetrics(
  events: readonly LogEvent[],
  summary: SessionSummary,
  from: readonly SessionMetric[] = SESSION_METRICS,
): MetricValue[] {
  return from.map(({ compute, ...metric }) => {
    const value = compute({ events, summary });
    return { metric, value: value !== null && Number.isFinite(value) ? value : null };
  });
}
