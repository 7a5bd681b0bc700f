import type { LogEvent } from '../session-log';
import type { Metric } from './metric-types';
import type { SessionSummary } from './summary-types';

/** The input of a metric: the events of a session and the summary made of them. */
export interface MetricInput {
  events: readonly LogEvent[];
  summary: SessionSummary;
}

/** A metric of a session with the function that computes it. */
export interface SessionMetric extends Metric {
  /** null or a number that is not finite: the log does not have it. */
  readonly compute: (input: MetricInput) => number | null;
}

/** Definition of one metric; it is a headline only if `headline` is true. */
export interface MetricDefinition
  extends Omit<Metric, 'source' | 'headline'>, Pick<SessionMetric, 'compute'> {
  headline?: boolean;
}

const namePattern = /^[a-z][A-Za-z0-9]*$/;

/**
 * Makes a metric of a session.
 * @throws RangeError for a name that is no lower camel case identifier, or an empty label or definition
 */
export function defineMetric(definition: MetricDefinition): SessionMetric {
  const { name, label, definition: text } = definition;
  if (!namePattern.test(name) || label === '' || text === '') {
    throw new RangeError(
      `metric "${name}": expected a name such as stallMs, a label, a definition`,
    );
  }
  return { headline: false, ...definition, source: 'session.jsonl' };
}

/** Makes several metrics; their order is that of the tables. */
export function defineMetrics(definitions: readonly MetricDefinition[]): SessionMetric[] {
  return definitions.map(defineMetric);
}
