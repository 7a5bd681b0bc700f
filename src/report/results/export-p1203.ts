import type { Ladder, MediaType } from '../../core';
import type { LogEvent, RequestEvent } from '../../session-log';
import { rungOfRequest, type SessionSummary } from '../../qoe';

interface P1203Segment {
  /** kbit/s. */
  bitrate: number;
  codec: string;
  /** Seconds, as `start`. */
  duration: number;
  start: number;
  fps?: number;
  resolution?: string;
}

/** Input of ITU-T P.1203 (mode 0), as the reference software reads it. */
export interface P1203Input {
  I11: { streamId: number; segments: P1203Segment[] };
  I13: { streamId: number; segments: P1203Segment[] };
  /** `[media time in s, length in s]`; the first is the initial loading. */
  I23: { streamId: number; stalling: [number, number][] };
  IGen: { displaySize: string; device: string; viewingDistance: string };
}

/**
 * A session as input of ITU-T P.1203. The reference software is under a non-commercial licence and is not
 * part of this program. The frame rate is that of the decoded frames; the display is assumed: a monitor of
 * 1920x1080.
 */
export function p1203Input(events: readonly LogEvent[], summary: SessionSummary): P1203Input {
  const ladders = events.flatMap((event) => (event.type === 'manifest' ? event.ladders : []));
  const played = summary.playedMs;
  const fps = played > 0 ? Math.round((summary.decodedFrames * 10_000) / played) / 10 : 0;
  const shown = positions(events);
  return {
    I11: { streamId: 1, segments: segmentsOf('audio', events, ladders, shown.lastMs, fps) },
    I13: { streamId: 1, segments: segmentsOf('video', events, ladders, shown.lastMs, fps) },
    I23: {
      streamId: 1,
      stalling: [[0, (summary.startupDelayMs ?? 0) / 1000], ...shown.stalling],
    },
    IGen: { displaySize: '1920x1080', device: 'pc', viewingDistance: '150cm' },
  };
}

/** Position of the picture at each stall and at the end, from the film's first segment shown. */
function positions(events: readonly LogEvent[]): {
  lastMs: number;
  stalling: [number, number][];
} {
  const stalling: [number, number][] = [];
  let firstMs: number | undefined;
  let positionMs = 0;
  let open: { positionMs: number; atMs: number } | undefined;
  for (const event of events) {
    if (event.type === 'player') {
      positionMs = event.positionMs;
      firstMs ??= positionMs;
    }
    if (event.type !== 'stall') continue;
    if (event.phase === 'start') open ??= { positionMs, atMs: event.monotonicMs };
    else {
      const ms = event.durationMs ?? event.monotonicMs - (open?.atMs ?? event.monotonicMs);
      stalling.push([((open?.positionMs ?? positionMs) - (firstMs ?? 0)) / 1000, ms / 1000]);
      open = undefined;
    }
  }
  const last = events.at(-1)?.monotonicMs ?? 0;
  if (open) stalling.push([(open.positionMs - (firstMs ?? 0)) / 1000, (last - open.atMs) / 1000]);
  return { lastMs: positionMs, stalling };
}

function segmentsOf(
  type: MediaType,
  events: readonly LogEvent[],
  ladders: readonly Ladder[],
  lastMs: number,
  fps: number,
): P1203Segment[] {
  const byStart = new Map<number, RequestEvent>();
  for (const event of events) {
    if (event.type !== 'request' || event.kind !== 'media' || event.outcome !== 'ok') continue;
    if ((event.mediaType ?? 'video') !== type || (event.mediaStartMs ?? 0) > lastMs) continue;
    // A segment fetched twice was shown as fetched last.
    byStart.set(Math.round(event.mediaStartMs ?? 0), event);
  }
  let startS = 0;
  return [...byStart.entries()]
    .sort(([a], [b]) => a - b)
    .map(([, request]) => {
      const duration = (request.mediaDurationMs ?? 0) / 1000;
      const start = startS;
      startS += duration;
      const rung = rungOfRequest(ladders, { ...request, mediaType: type });
      const bitrate =
        duration > 0 ? (request.bytes * 8) / duration / 1000 : (request.bitrateBps ?? 0) / 1000;
      const segment = { bitrate, codec: codecName(type, rung?.codecs), duration, start };
      if (type === 'audio') return segment;
      const size = rung?.width && rung.height ? { resolution: `${rung.width}x${rung.height}` } : {};
      return { ...segment, fps, ...size };
    });
}

/** Maps RFC 6381 codec names to those of the reference software. */
function codecName(type: MediaType, codecs = ''): string {
  if (type === 'audio') return /mp4a\.40\.(5|29)/.test(codecs) ? 'heaac' : 'aaclc';
  if (/^(hvc1|hev1)/.test(codecs)) return 'hevc';
  return codecs.startsWith('vp09') ? 'vp9' : 'h264';
}
