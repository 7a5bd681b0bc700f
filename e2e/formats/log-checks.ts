import { expect } from '@playwright/test';
import type { LogEvent } from '../../src/session-log';

/** The log is complete: bytes for each arrived segment, and its rung. */
export function expectHonestLog(log: readonly LogEvent[]): void {
  const arrived = log.flatMap((event) =>
    event.type === 'request' && event.kind === 'media' && event.outcome === 'ok' ? [event] : [],
  );
  expect(arrived.length).toBeGreaterThan(0);
  expect(arrived.filter((event) => event.bytes === 0)).toEqual([]);
  const hasLadder = arrived.filter(
    ({ mediaType }) => mediaType === 'video' || mediaType === 'audio',
  );
  expect(hasLadder.filter((event) => (event.rung ?? -1) < 0)).toEqual([]);
}

/** Buffer below which the next segment is late, and the picture may stop for lack of it. */
const LITTLE_BUFFER_MS = 500;
/** Permitted delay of a segment on a busy machine. */
const SHORT_MS = 500;
/** Total time for which a busy machine may stop a picture that has its media. */
export const BUSY_MS = 4000;

/** No stall comes from the stream: media were buffered in each long one, and the machine soon recovered. */
export function expectFed(log: readonly LogEvent[]): void {
  const starved = log.flatMap((event, index) => {
    if (event.type !== 'stall' || event.phase !== 'start') return [];
    const end = log.slice(index).find((one) => one.type === 'stall' && one.phase === 'end');
    if (end?.type === 'stall' && (end.durationMs ?? 0) < SHORT_MS) return [];
    const isState = (one: LogEvent): boolean => one.type === 'player';
    const around = [log.slice(0, index).filter(isState).at(-1), log.slice(index).find(isState)];
    const buffersMs = around.flatMap((one) => (one?.type === 'player' ? [one.bufferMs] : []));
    return Math.min(...buffersMs) < LITTLE_BUFFER_MS ? [buffersMs] : [];
  });
  expect(starved, 'buffers at stalls, in ms').toEqual([]);
  expect(stalledMs(log), 'time of stalls').toBeLessThan(BUSY_MS);
}

/** Time of the stalls that have ended. */
export const stalledMs = (log: readonly LogEvent[]): number =>
  log.reduce((sum, event) => sum + (event.type === 'stall' ? (event.durationMs ?? 0) : 0), 0);
