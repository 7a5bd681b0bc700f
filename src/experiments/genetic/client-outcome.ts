import type { LogEvent } from '../../session-log';
import type { ClientOutcome } from './jobs';

/** A viewer's outcome, from the log (section IV-B-1). */
export function clientOutcome(log: readonly LogEvent[], subflows: number): ClientOutcome {
  let bitrates = 0;
  let segments = 0;
  let switches = 0;
  let outageMs = 0;
  let rung: number | undefined;
  let stalledAtMs: number | undefined;
  for (const event of log) {
    if (event.type === 'request' && event.kind === 'media' && event.outcome === 'ok') {
      segments += 1;
      bitrates += event.bitrateBps ?? 0;
      if (rung !== undefined) switches += Math.abs((event.rung ?? rung) - rung);
      rung = event.rung ?? rung;
    } else if (event.type === 'stall') {
      if (event.phase === 'start') stalledAtMs = event.monotonicMs;
      else if (stalledAtMs !== undefined) {
        outageMs += event.monotonicMs - stalledAtMs;
        stalledAtMs = undefined;
      }
    } else if (event.type === 'end' && stalledAtMs !== undefined) {
      outageMs += event.monotonicMs - stalledAtMs;
    }
  }
  return { bitrateBps: segments > 0 ? bitrates / segments : 0, switches, outageMs, subflows };
}
