import type { MediaPlayerClass } from 'dashjs';
import { DashEvent } from '../dashjs/dash-types';
import { member } from '../dashjs/member';
import {
  isKeyError,
  keyMissing,
  keySystemsOf,
  protectionAdvice,
  videoCodecsOf,
} from '../dashjs/protection';

/** Converts errors of dash.js and the media element into messages a viewer can act on. */

export interface ViewerError {
  /** Stable, for programs. */
  code: string;
  message: string;
  fatal: boolean;
}

/** dash.js error codes (MediaPlayerErrors) by their meaning here. */
const MANIFEST_DOWNLOAD = [11, 25];
const MANIFEST_MALFORMED = [10, 31];
const MANIFEST_UNPLAYABLE = [32, 34, 35];
const MANIFEST_UNREACHABLE = 'manifest-unreachable';
/**
 * Time limit for the answer of a server whose MPD did not arrive. The failed request had a longer one. Chosen; no
 * measurement.
 */
const ANSWER_TIMEOUT_MS = 3000;
/** More dash.js error codes (MediaPlayerErrors). */
const SEGMENT_DOWNLOAD = 27;
const INIT_DOWNLOAD = 28;
const NO_MEDIA_SOURCE = 23;
const TIME_SYNC = 16;
/** HTMLMediaElement error codes, which dash.js passes on unchanged. */
const MEDIA_ERR = { network: 2, decode: 3, unsupported: 4 } as const;

export interface ErrorContext {
  manifestUrl: string;
  /** The defect of an MPD that arrived in part; undefined if it is whole or never came. */
  manifestDefect: () => string | undefined;
  /** True if dash.js can use another BaseURL after a request to this one failed for good. */
  otherBaseUrl: (serviceLocation: string) => boolean;
  /** Names of the manifest's key systems; undefined if the stream is not encrypted. */
  keySystems: () => readonly string[] | undefined;
  /** True once a frame was shown, or audio alone has begun. */
  hasPlayed: () => boolean;
}

/** Reports every error of dash.js. */
export function hearDashErrors(
  player: MediaPlayerClass,
  context: Omit<ErrorContext, 'keySystems'>,
  onError: (error: ViewerError) => void,
): void {
  let systems: string[] | undefined;
  let codecs: string[] = [];
  player.on(DashEvent.manifestLoaded, (event) => {
    systems = keySystemsOf(member(event, 'data'));
    codecs = videoCodecsOf(member(event, 'data'));
  });
  player.on(DashEvent.streamInitialized, () => {
    if (codecs.length === 0 || player.getRepresentationsByType('video').length > 0) return;
    onError(videoUnplayable(codecs, systems));
    codecs = [];
  });
  player.on(DashEvent.error, (event) => {
    const all = { ...context, keySystems: () => systems };
    const error = classifyError(event, all);
    if (error.code !== MANIFEST_UNREACHABLE || httpStatus(event) > 0) {
      onError(error);
      return;
    }
    void answersAnyone(context.manifestUrl).then((isThere) =>
      onError(classifyError(event, all, isThere)),
    );
  });
  player.on(DashEvent.playbackError, (event) => {
    const error = describePlaybackError(event);
    if (error) onError(error);
  });
}

/** dash.js plays the sound alone, without an error. */
const videoUnplayable = (
  codecs: readonly string[],
  systems: readonly string[] | undefined,
): ViewerError =>
  passing(
    'video-unplayable',
    `The browser plays none of the video (${codecs.join(', ')}), so only its sound plays.${protectionAdvice(systems)}`,
  );

/** The server whose BaseURL dash.js abandons with this `error` event; video and audio each report the same. */
export function givenUpLocation(event: unknown): string | undefined {
  const error = member(event, 'error');
  const code = member(error, 'code');
  if (code !== SEGMENT_DOWNLOAD && code !== INIT_DOWNLOAD) return undefined;
  return asText(member(error, 'data', 'request', 'serviceLocation'));
}

/**
 * Reads the `error` event of dash.js in all its shapes.
 * @param isServerThere for an MPD that gave no answer: true if its server answers all the same
 */
export function classifyError(
  event: unknown,
  context: ErrorContext,
  isServerThere = false,
): ViewerError {
  const error = member(event, 'error');
  const code = member(error, 'code');
  const text = asText(member(error, 'message')) ?? asText(error) ?? 'no details';
  const status = httpStatus(event);
  const url = asText(member(error, 'data', 'request', 'url')) ?? 'unknown URL';
  const location = asText(member(error, 'data', 'request', 'serviceLocation')) ?? '';
  const answer = status > 0 ? `the server answered HTTP ${status}` : 'no answer';
  if (typeof code !== 'number') return passing('player', text);

  if (isKeyError(code)) return keyMissing(text);
  const defect = context.manifestDefect();
  if (MANIFEST_DOWNLOAD.includes(code) && defect !== undefined) {
    return fatal(
      'manifest-malformed',
      `The MPD ${context.manifestUrl} is ${defect}: check that the server sends all of it.`,
    );
  }
  if (MANIFEST_DOWNLOAD.includes(code)) {
    const advice = unreachableAdvice(context.manifestUrl, status > 0, isServerThere);
    return fatal(
      MANIFEST_UNREACHABLE,
      `The MPD ${context.manifestUrl} could not be loaded (${answer}): ${advice}`,
    );
  }
  if (MANIFEST_MALFORMED.includes(code)) {
    return fatal('manifest-malformed', `${context.manifestUrl} is not a valid MPD: ${text}`);
  }
  if (MANIFEST_UNPLAYABLE.includes(code)) {
    return fatal(
      'manifest-unplayable',
      `The MPD ${context.manifestUrl} has no representation that this browser can play: ${text}${protectionAdvice(context.keySystems())}`,
    );
  }
  switch (code) {
    case SEGMENT_DOWNLOAD:
    case INIT_DOWNLOAD: {
      const isMedia = code === SEGMENT_DOWNLOAD;
      return {
        code: isMedia ? 'segment-unavailable' : 'init-unavailable',
        message: `${isMedia ? 'A media' : 'An initialization'} segment could not be loaded after all retries (${answer}): ${url}`,
        fatal: !context.otherBaseUrl(location),
      };
    }
    case NO_MEDIA_SOURCE:
      return fatal('no-media-source', 'This browser has no Media Source Extensions.');
    case TIME_SYNC:
      return passing('time-sync', `The live clock could not be set: ${text}`);
    case MEDIA_ERR.network:
    case MEDIA_ERR.decode:
    case MEDIA_ERR.unsupported:
      // An encrypted stream that has played has its key.
      if (context.keySystems() && !context.hasPlayed()) return keyMissing(text);
      return fatal(
        'decoder',
        `The decoder failed for good: ${text}. Reload, or try another codec.`,
      );
    default:
      return passing(`dash-${code}`, text);
  }
}

/** Reads dash.js's `playbackError`, which comes first and may be recovered. */
export function describePlaybackError(event: unknown): ViewerError | undefined {
  const error = member(event, 'error');
  const code = member(error, 'code');
  if (code !== MEDIA_ERR.decode) return undefined;
  const text = asText(member(error, 'message'));
  return passing(
    'decoder-reset',
    `The decoder failed${text === undefined ? '' : ` (${text})`}; it is reset and the bad segment skipped.`,
  );
}

/**
 * A page does not learn why a request failed. A request without CORS fails too if there is no connection or no
 * trusted certificate. It succeeds if only the permission for this page is missing.
 */
async function answersAnyone(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const request = { mode: 'no-cors', credentials: 'omit', cache: 'no-store', signal } as const;
  return fetch(url, request).then(
    () => true,
    () => false,
  );
}

function unreachableAdvice(url: string, hasStatus: boolean, isServerThere: boolean): string {
  if (hasStatus) return 'check the address.';
  if (isServerThere) {
    return 'its server must send Access-Control-Allow-Origin.';
  }
  const trust = url.startsWith('https:')
    ? ', and that its certificate is trusted (a self-signed one is not)'
    : '';
  return `check the address and that the server runs${trust}.`;
}

/** HTTP status of the answer in an `error` event; 0 without an answer. */
function httpStatus(event: unknown): number {
  const status = member(event, 'error', 'data', 'response', 'status');
  return typeof status === 'number' ? status : 0;
}

const fatal = (code: string, message: string): ViewerError => ({ code, message, fatal: true });
const passing = (code: string, message: string): ViewerError => ({ code, message, fatal: false });

function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
