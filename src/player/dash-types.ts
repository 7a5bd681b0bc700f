/**
 * The few shapes of dash.js 5 this player relies on that its type declarations leave out or get wrong.
 * Everything read from dash.js at run time goes through here.
 */
import type { MediaPlayerClass, Representation } from 'dashjs';
import type { MediaType } from '../core';

/** A segment request, as dash.js hands it to interceptors, rules and events. Numbers may be NaN. */
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
  representation?: Representation | null;
  traces?: { s: Date; d: number; b: number[] }[];
  resourceTimingValues?: { startTime: number; responseStart: number } | null;
}

/** What a quality or abandon rule is given. */
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
const DEFAULT_PRIORITY = 0.5;

/** The answer that leaves the decision to the other rules. */
export function noOpinion(rule: string): RuleAnswer {
  return { representation: null, priority: DEFAULT_PRIORITY, reason: null, rule };
}

/** What `extend` gives the overriding function as `this`. */
export interface ExtensionThis<Parent> {
  parent: Parent;
}

export const RequestType = {
  manifest: 'MPD',
  init: 'InitializationSegment',
  media: 'MediaSegment',
} as const;

/** Event names, public ones first; the last two are dash.js's internal ones. */
export const DashEvent = {
  baseUrlsUpdated: 'baseUrlsUpdated',
  streamInitialized: 'streamInitialized',
  periodSwitchCompleted: 'periodSwitchCompleted',
  fragmentLoadingAbandoned: 'fragmentLoadingAbandoned',
  qualityChangeRequested: 'qualityChangeRequested',
  qualityChangeRendered: 'qualityChangeRendered',
  playbackError: 'playbackError',
  error: 'error',
  /** Makes dash.js ask its abandon rules about a request, as it does on every progress event. */
  loadingProgress: 'loadingProgress',
} as const;

export function isMediaType(value: unknown): value is MediaType {
  return value === 'video' || value === 'audio';
}

/** Narrows what an interceptor finds in `customData`. */
export function readDashRequest(customData: unknown): DashRequest | undefined {
  if (typeof customData !== 'object' || customData === null || !('request' in customData)) {
    return undefined;
  }
  const { request } = customData;
  if (typeof request !== 'object' || request === null) return undefined;
  if (!('url' in request) || typeof request.url !== 'string') return undefined;
  if (!('type' in request) || typeof request.type !== 'string') return undefined;
  return request as DashRequest;
}

/** A number where dash.js may have NaN, null or nothing. */
export function finite(value: number | null | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Has dash.js ask the abandon rules about one request now, without waiting for its next byte. */
export function checkAbandon(player: MediaPlayerClass, request: DashRequest): void {
  const streamId = request.representation?.mediaInfo?.streamInfo?.id;
  if (!streamId) return;
  // The declaration takes an event object where the implementation takes its name.
  const bus = player as unknown as { trigger(type: string, payload: object): void };
  bus.trigger(DashEvent.loadingProgress, { request, streamId });
}
