import { errorText } from '../core';
import type { PathLinkFormat } from './format-link';
import type { TraceSpec } from './link-spec';
import type { ReadContext, ScenarioPath } from './problems';
import { traceLengthMs, traceSteps } from './trace-part';
import { MAX_TRACE_BPS, parseTrace, TraceError } from './trace';

/** The steps of a trace named in a scenario. A problem in it is reported at the line that names it. */
export function traceFrom(
  written: NonNullable<PathLinkFormat['trace']>,
  path: ScenarioPath,
  { problems, files }: ReadContext,
): TraceSpec | undefined {
  const options = typeof written === 'string' ? { file: written } : written;
  const field = typeof written === 'string' ? path : [...path, 'file'];
  const { file, scale = 1, from = 0, once, latency } = options;
  const refuse = (message: string, where: ScenarioPath = field): undefined => {
    problems.add(where, message);
    return undefined;
  };
  let content: string;
  try {
    content = files.read(files.resolve(file));
  } catch (error) {
    refuse(`the trace ${file} cannot be read: ${errorText(error)}`);
    return;
  }
  try {
    const followed = latency === undefined ? {} : { followLatency: latency };
    const all = parseTrace(content, file, followed);
    const lengthMs = traceLengthMs(all);
    if (from >= lengthMs) {
      refuse(`the trace ${file} lasts only ${lengthMs / 1000} s`, [...path, 'from']);
      return;
    }
    const steps = traceSteps(all, from, once).map((step) => ({
      ...step,
      rateBps: Math.round(step.rateBps * scale),
    }));
    const fastestBps = steps.reduce((most, { rateBps }) => Math.max(most, rateBps), 0);
    if (fastestBps > MAX_TRACE_BPS) {
      refuse(
        `the fastest rate of ${file} becomes ${fastestBps / 1e9} Gbit/s, more than ${MAX_TRACE_BPS / 1e9} Gbit/s: take a smaller scale`,
        [...path, 'scale'],
      );
      return;
    }
    if (steps.every((step) => step.rateBps === 0)) {
      refuse(`every rate of ${file} is 0`);
      return;
    }
    return { file, steps, ...(once === undefined ? {} : { once }) };
  } catch (error) {
    if (error instanceof TraceError) {
      refuse(error.message.replace('\n ', ';'));
      return;
    }
    throw error;
  }
}
