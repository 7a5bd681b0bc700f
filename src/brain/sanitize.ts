import { type Ladder, type MediaType, MEDIA_TYPES } from '../core';
import type { BrainObservation } from './types';
import type { LiveEdge, PerMedia, RequestInFlight } from '../abr';

/** Bounds on the input from one observation. */
const bounds = { ms: 1e12, bytes: 1e15, bufferMs: 1e8, segments: 16, requests: 64, rungs: 64 };

/** A required number: a non-finite or negative value counts as 0. JSON turns NaN into null. */
function amount(value: unknown, high: number): number {
  return known(value, high) ?? 0;
}

/** An optional number: an invalid value becomes undefined. -0, which JSON does not have, is 0. */
function known(value: unknown, high: number): number | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) return undefined;
  return Math.min(value, high) + 0;
}

/** Slowest and fastest playback of browsers. */
const SPEEDS = { least: 1 / 16, most: 16 };

/** Speed of a film's playback. A paused one has the speed of 1. */
function speedOf({ live, playbackRate }: BrainObservation): number {
  const speed = known(playbackRate, SPEEDS.most) ?? 1;
  return live || speed === 0 ? 1 : Math.max(SPEEDS.least, speed);
}

/**
 * The observation in the viewer's time, without NaN, negative numbers and oversized lists. Rungs stay within their ladder.
 * At twice the speed a buffer lasts half as long, and a rung takes twice its bit rate.
 */
export function sanitizeBrainObservation(raw: BrainObservation): BrainObservation {
  const speed = speedOf(raw);
  const ladders = MEDIA_TYPES.flatMap((mediaType) => {
    const ladder = raw.ladders.find((one) => one.mediaType === mediaType);
    return ladder ? [sanitizeLadder(ladder, speed)] : [];
  });
  const rungsOf = (mediaType: MediaType): number =>
    ladders.find((one) => one.mediaType === mediaType)?.rungs.length ?? 0;
  const each = <T>(pick: (mediaType: MediaType) => T): PerMedia<T> => {
    const all: PerMedia<T> = {};
    for (const mediaType of MEDIA_TYPES)
      if (rungsOf(mediaType) > 0) all[mediaType] = pick(mediaType);
    return all;
  };
  return {
    monotonicMs: amount(raw.monotonicMs, bounds.ms),
    trigger: raw.trigger,
    mediaType: raw.mediaType,
    ladders,
    currentRung: each((mediaType) => inside(raw.currentRung[mediaType], rungsOf(mediaType))),
    bufferMs: each((mediaType) => amount(raw.bufferMs[mediaType], bounds.bufferMs) / speed),
    bufferTargetMs: amount(raw.bufferTargetMs, bounds.bufferMs) / speed,
    playing: raw.playing,
    requests: raw.requests
      .slice(0, bounds.requests)
      .map((request) =>
        sanitizeRequest(request, request.mediaType ? rungsOf(request.mediaType) : 0, speed),
      ),
    nextSegments: each((mediaType) =>
      (raw.nextSegments?.[mediaType] ?? [])
        .slice(0, bounds.segments)
        .map((sizes) => sizes.slice(0, bounds.rungs).map((bytes) => known(bytes, bounds.bytes))),
    ),
    segmentDurationMs: each(
      (mediaType) => amount(raw.segmentDurationMs[mediaType], bounds.bufferMs) / speed,
    ),
    live: raw.live ? sanitizeLive(raw.live) : undefined,
    control: raw.control,
  };
}

function sanitizeLadder(ladder: Ladder, speed: number): Ladder {
  const rungs = ladder.rungs
    .slice(0, bounds.rungs)
    .map((rung, index) => ({ ...rung, index, bitrateBps: amount(rung.bitrateBps, 1e12) * speed }));
  return { mediaType: ladder.mediaType, rungs };
}

function inside(rung: unknown, rungs: number): number {
  return typeof rung === 'number' && rung >= 0 && rung < rungs ? Math.trunc(rung) + 0 : -1;
}

function sanitizeRequest(request: RequestInFlight, rungs: number, speed: number): RequestInFlight {
  const durationMs = known(request.durationMs, bounds.bufferMs);
  return {
    requestId: amount(request.requestId, Number.MAX_SAFE_INTEGER),
    mediaType: request.mediaType,
    rung: inside(request.rung, rungs),
    startMs: amount(request.startMs, bounds.ms),
    bytesLoaded: amount(request.bytesLoaded, bounds.bytes),
    bytesTotal: known(request.bytesTotal, bounds.bytes),
    durationMs: durationMs === undefined ? undefined : durationMs / speed,
  };
}

function sanitizeLive(live: LiveEdge): LiveEdge {
  return {
    latencyMs: amount(live.latencyMs, bounds.bufferMs),
    targetLatencyMs: known(live.targetLatencyMs, bounds.bufferMs),
    availableMs: known(live.availableMs, bounds.bufferMs),
    unitMs: known(live.unitMs, bounds.bufferMs),
  };
}
