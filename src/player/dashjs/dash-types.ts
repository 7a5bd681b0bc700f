/**
 * The dash.js 5 shapes used here that its type declarations omit or get wrong. All run-time data from dash.js
 * passes through this file.
 */
import type { MediaPlayerClass, Representation } from 'dashjs';
import type { MediaType } from '../../core';
import { member } from './member';

/** A segment request as dash.js passes it to interceptors, rules and events. Numbers may be NaN. */
export interface DashRequest {
  url: string;
  type: string;
  mediaType?: string | null;
  index?: number | null;
  startTime?: number | null;
  duration?: number | null;
  bytesLoaded?: number | null;
  bytesTotal?: number | null;
  serviceLocation?: string | null;
  /** Byte range: `100-299`. */
  range?: string | null;
  availabilityStartTime?: Date | null;
  /** False: the segment may be requested while it grows. */
  availabilityTimeComplete?: boolean;
  representation?: Representation | null;
  traces?: { s: Date; d: number; b: number[] }[];
  resourceTimingValues?: { startTime: number; responseStart: number } | null;
  fileLoaderType?: string;
  headers?: Record<string, string> | null;
  /** CMCD data that dash.js sends with it. */
  cmcd?: unknown;
  /** A copy of another request, with CMCD data of its own; absent if such data cannot be made. */
  describe?: (other: DashRequest) => DashRequest;
}

/**
 * Low-latency segments come through dash.js's fetch loader. It appends each chunk on arrival, so the answer
 * holds only the remainder, usually nothing.
 */
export function isStreamed(request: DashRequest): boolean {
  return request.fileLoaderType === 'fetch_loader';
}

/** Media in one chunk of a segment that may be requested while it grows; undefined for other segments. */
export function growingChunkMs(request: DashRequest): number | undefined {
  if (request.type !== RequestType.media || request.availabilityTimeComplete !== false) {
    return undefined;
  }
  const offsetSeconds = finite(request.representation?.availabilityTimeOffset) ?? 0;
  const chunkSeconds = (finite(request.duration) ?? 0) - offsetSeconds;
  return offsetSeconds > 0 && chunkSeconds > 0 ? Math.round(chunkSeconds * 1000) : undefined;
}

/** The arguments of a quality or abandon rule. */
export interface RuleContext {
  getMediaType(): string | null;
  getMediaInfo(): unknown;
  getRepresentation(): Representation | null;
  getCurrentRequest(): DashRequest | undefined;
  getAbrController(): {
    getPossibleVoRepresentationsFilteredBySettings(
      mediaInfo: unknown,
      includeCompatible: boolean,
    ): Representation[];
  };
  getThroughputController(): { getSafeAverageThroughput(mediaType: string): number };
  getScheduleController(): { setTimeToLoadDelay(delayMs: number): void } | null;
}

/** The answer of a rule; no `representation` means no opinion. */
export interface RuleAnswer {
  representation: Representation | null;
  priority: number;
  /** Must be an object: dash.js sets `forceAbandon` on it. */
  reason: { message: string } | null;
  rule: string;
}

export const QUALITY_RULE = 'MultipathRule';
export const ABANDON_RULE = 'MultipathAbandonRule';

/** Outranks dash.js's own rules, which answer with 0.5. */
export const STRONG_PRIORITY = 1;
/** dash.js's SwitchRequest.PRIORITY.DEFAULT. */
const DEFAULT_PRIORITY = 0.5;

/** The answer that leaves the decision to the other rules. */
export function noOpinion(rule: string): RuleAnswer {
  return { representation: null, priority: DEFAULT_PRIORITY, reason: null, rule };
}

/** The `this` that `extend` gives the overriding function. */
export interface ExtensionThis<Parent> {
  parent: Parent;
}

/** dash.js's id of the rung's period. Rung ids are unique only within a period. */
export function periodIdOf(representation: Representation): string {
  // Always present in the declaration; dash.js's own tests omit it.
  const mediaInfo = representation.mediaInfo as Representation['mediaInfo'] | undefined;
  return (mediaInfo?.streamInfo as { id?: string } | undefined)?.id ?? '';
}

export const RequestType = {
  manifest: 'MPD',
  init: 'InitializationSegment',
  media: 'MediaSegment',
  index: 'IndexSegment',
} as const;

/** Event names, public ones first; the last five are dash.js's internal ones. */
export const DashEvent = {
  manifestLoadingStarted: 'manifestLoadingStarted',
  manifestLoaded: 'manifestLoaded',
  baseUrlsUpdated: 'baseUrlsUpdated',
  streamInitialized: 'streamInitialized',
  periodSwitchCompleted: 'periodSwitchCompleted',
  fragmentLoadingAbandoned: 'fragmentLoadingAbandoned',
  /** Each chunk of a low-latency segment; other segments have none. */
  fragmentLoadingProgress: 'fragmentLoadingProgress',
  qualityChangeRequested: 'qualityChangeRequested',
  qualityChangeRendered: 'qualityChangeRendered',
  /** The viewer's choice of another track plays. */
  trackChangeRendered: 'trackChangeRendered',
  playbackError: 'playbackError',
  playbackSeeking: 'playbackSeeking',
  playbackSeeked: 'playbackSeeked',
  error: 'error',
  /** Makes dash.js call its abandon rules for a request, as on every progress event. */
  loadingProgress: 'loadingProgress',
  /** dash.js has a manifest, loaded or given by the page. */
  manifestUpdated: 'manifestUpdated',
  /** All streams of a source are gone; dash.js forgets its clock. */
  streamTeardownComplete: 'streamTeardownComplete',
  /** The difference of the server's clock from the client's, in ms. */
  updateTimeSyncOffset: 'updateTimeSyncOffset',
} as const;

export function isMediaType(value: unknown): value is MediaType {
  return value === 'video' || value === 'audio';
}

/** Narrows the `customData` of an interceptor. */
export function readDashRequest(customData: unknown): DashRequest | undefined {
  const request = member(customData, 'request');
  if (typeof member(request, 'url') !== 'string') return undefined;
  if (typeof member(request, 'type') !== 'string') return undefined;
  return request as DashRequest;
}

/** The answer of a getter that throws once the page has reset or destroyed its dash.js; undefined then. */
export function ask<T>(getter: () => T): T | undefined {
  try {
    return getter();
  } catch {
    return undefined;
  }
}

/** A number where dash.js may have NaN, null or nothing. */
export function finite(value: number | null | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** True for a live stream; false also while dash.js has no source. */
export const isDynamic = (player: MediaPlayerClass): boolean =>
  ask(() => player.isDynamic()) === true;

/** Length of the stream; undefined for a live one, and while dash.js has no source. */
export function durationMs(player: MediaPlayerClass): number | undefined {
  const seconds = finite(ask(() => player.duration()));
  return seconds === undefined ? undefined : seconds * 1000;
}

/** Media ahead of the playhead. */
export function bufferMsOf(player: MediaPlayerClass, mediaType: MediaType): number {
  return Math.max(0, (finite(player.getBufferLength(mediaType)) ?? 0) * 1000);
}

/** Start of a segment in media time; undefined for anything else. */
export function mediaRange(request: DashRequest): { startMs: number; endMs: number } | undefined {
  const seconds = finite(request.startTime);
  if (request.type !== RequestType.media || seconds === undefined) return undefined;
  return { startMs: seconds * 1000, endMs: (seconds + (finite(request.duration) ?? 0)) * 1000 };
}

/** Makes dash.js call the abandon rules for one request now, without waiting for its next byte. */
export function checkAbandon(player: MediaPlayerClass, request: DashRequest): void {
  const streamId = request.representation?.mediaInfo?.streamInfo?.id;
  if (!streamId) return;
  // The declaration takes an event object where the implementation takes its name.
  const bus = player as unknown as { trigger(type: string, payload: object): void };
  bus.trigger(DashEvent.loadingProgress, { request, streamId });
}
