import { formatBitRate, formatDuration } from '../../core';
import { traceLengthMs, type Scenario, type TraceSpec } from '../../scenario';

/** One trace in words, so that a wrong unit is seen: its length, rates and time without any. */
function describeTrace({ file, steps, once }: TraceSpec, sessionMs: number): string {
  const lengthMs = traceLengthMs(steps);
  const bits = steps.reduce((sum, { durationMs, rateBps }) => sum + durationMs * rateBps, 0);
  const rates = steps.map(({ rateBps }) => rateBps);
  const [least, most] = [Math.min, Math.max].map((of) =>
    formatBitRate(rates.reduce((a, b) => of(a, b))),
  );
  const deadMs = traceLengthMs(steps.filter(({ rateBps }) => rateBps === 0));
  const after = once === true ? 'then it stays at its last rate' : 'then it begins again';
  return [
    `${file}: ${steps.length} rates in ${formatDuration(lengthMs)}`,
    `mean ${formatBitRate(bits / lengthMs)} (${least} to ${most})`,
    ...(deadMs > 0 ? [`${formatDuration(deadMs)} at 0`] : []),
    ...(lengthMs < sessionMs ? [`shorter than the session: ${after}`] : []),
  ].join(', ');
}

/** A line for each trace of a scenario's links. */
export function traceLines({ topology, durationMs }: Scenario): string[] {
  const lines = topology.links.flatMap(({ id, ab, ba }) => {
    const traces = [ab.trace, ba.trace].filter((trace) => trace !== undefined);
    return traces.map((trace) => `  ${id}: ${describeTrace(trace, durationMs)}`);
  });
  return [...new Set(lines)];
}
