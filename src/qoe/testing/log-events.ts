import type { Ladder } from '../../core';
import type { LogEvent, PlayerEvent, RequestEvent } from '../../session-log';

export const ladder: Ladder = {
  mediaType: 'video',
  rungs: [1e6, 2e6, 4e6].map((bitrateBps, index) => ({
    index,
    representationId: String(index),
    bitrateBps,
  })),
};
export const config: LogEvent = {
  type: 'config',
  monotonicMs: 1000,
  schemaVersion: 1,
  startedAt: '2026-01-01T00:00:00Z',
  player: 'p',
  playerVersion: '1',
  settings: {},
};
export const manifest: LogEvent & { type: 'manifest' } = {
  type: 'manifest',
  monotonicMs: 1050,
  url: 'http://h/m.mpd',
  kind: 'static',
  durationMs: 60_000,
  ladders: [ladder],
};

export function player(monotonicMs: number, more: Partial<PlayerEvent> = {}): PlayerEvent {
  return {
    type: 'player',
    monotonicMs,
    positionMs: 0,
    bufferMs: 5000,
    playing: true,
    rung: 0,
    bitrateBps: 1e6,
    audioBitrateBps: 128_000,
    decodedFrames: 0,
    droppedFrames: 0,
    ...more,
  };
}

export function request(
  startMs: number,
  endMs: number,
  more: Partial<RequestEvent> = {},
): RequestEvent {
  return {
    type: 'request',
    monotonicMs: endMs,
    requestId: startMs,
    kind: 'media',
    mediaType: 'video',
    url: 'http://h/s',
    rung: 0,
    startMs,
    endMs,
    bytes: 250_000,
    status: 200,
    outcome: 'ok',
    ...more,
  };
}

export function change(monotonicMs: number, fromRung: number, toRung: number): LogEvent {
  return {
    type: 'switch',
    monotonicMs,
    mediaType: 'video',
    fromRung,
    toRung,
    fromBitrateBps: ladder.rungs[fromRung]?.bitrateBps ?? 0,
    toBitrateBps: ladder.rungs[toRung]?.bitrateBps ?? 0,
  };
}
