import { formatBitRate, formatDuration, median } from '../../core';
import { traceLengthMs, type Scenario, type TraceSpec } from '../../scenario';

type TraceSteps = TraceSpec['steps'];

/** Shorter steps are gaps between packets: their rates say nothing of the network. */
const LEAST_STEP_MS = 50;
const WINDOW_MS = 1000;

/** The mean rates of windows of a second. The last one holds the rest as well, for a few packets there are no rate. */
function inWindows(steps: TraceSteps): TraceSteps {
  const lengthMs = traceLengthMs(steps);
  const bits = Array.from({ length: Math.max(1, Math.floor(lengthMs / WINDOW_MS)) }, () => 0);
  const last = bits.length - 1;
  let atMs = 0;
  for (const { durationMs, rateBps } of steps) {
    const endMs = Math.min(atMs + durationMs, lengthMs);
    while (atMs < endMs) {
      const window = Math.min(last, Math.floor(atMs / WINDOW_MS));
      const untilMs = window === last ? endMs : Math.min(endMs, (window + 1) * WINDOW_MS);
      bits[window] = (bits[window] ?? 0) + ((untilMs - atMs) * rateBps) / 1000;
      atMs = untilMs;
    }
  }
  return bits.map((sum, window) => {
    const durationMs = window === last ? lengthMs - window * WINDOW_MS : WINDOW_MS;
    return { durationMs, rateBps: (sum * 1000) / durationMs };
  });
}

/** One trace in words, so that a wrong unit is seen: its length, rates and time without any. */
function describeTrace({ file, steps, once }: TraceSpec, sessionMs: number): string {
  const lengthMs = traceLengthMs(steps);
  const bits = steps.reduce((sum, { durationMs, rateBps }) => sum + durationMs * rateBps, 0);
  const isFine = (median(steps.map(({ durationMs }) => durationMs)) ?? 0) < LEAST_STEP_MS;
  const seen = isFine ? inWindows(steps) : steps;
  const rates = seen.map(({ rateBps }) => rateBps);
  const [least, most] = [Math.min, Math.max].map((of) =>
    formatBitRate(rates.reduce((a, b) => of(a, b))),
  );
  const deadMs = traceLengthMs(seen.filter(({ rateBps }) => rateBps === 0));
  const after = once === true ? 'then it stays at its last rate' : 'then it begins again';
  return [
    `${file}: ${steps.length} rates in ${formatDuration(lengthMs)}`,
    `mean ${formatBitRate(bits / lengthMs)} (${least} to ${most}${isFine ? ' over a second' : ''})`,
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
