import type { MediaPlayerClass } from 'dashjs';
import { DashEvent } from './dash-types';

/** Turns what dash.js and the media element report into messages a viewer can act on. */

export interface PlayerError {
  /** Stable, for machines. */
  code: string;
  message: string;
  fatal: boolean;
}

/** dash.js error codes (MediaPlayerErrors) by what they mean here. */
const MANIFEST_DOWNLOAD = [11, 25];
const MANIFEST_MALFORMED = [10, 31];
const MANIFEST_UNPLAYABLE = [32, 34, 35];
const SEGMENT_DOWNLOAD = 27;
const INIT_DOWNLOAD = 28;
const NO_MEDIA_SOURCE = 23;
const TIME_SYNC = 16;
/** HTMLMediaElement error codes, which dash.js passes on unchanged. */
const MEDIA_ERR = { network: 2, decode: 3, unsupported: 4 } as const;

export interface ErrorContext {
  manifestUrl: string;
  /** Whether dash.js can still turn to another BaseURL; asked once for each segment given up. */
  otherBaseUrls: () => boolean;
}

/** Reports everything dash.js complains about. */
export function hearDashErrors(
  player: MediaPlayerClass,
  manifestUrl: string,
  onError: (error: PlayerError) => void,
): void {
  let segmentFailures = 0;
  player.on(DashEvent.error, (event) => {
    const otherBaseUrls = (): boolean => {
      segmentFailures += 1;
      return segmentFailures < player.getAvailableBaseUrls().length;
    };
    onError(classifyError(event, { manifestUrl, otherBaseUrls }));
  });
  player.on(DashEvent.playbackError, (event) => {
    const error = describePlaybackError(event);
    if (error) onError(error);
  });
}

/** Reads the `error` event of dash.js, whatever its shape. */
export function classifyError(event: unknown, context: ErrorContext): PlayerError {
  const error = field(event, 'error');
  const code = field(error, 'code');
  const text = asText(field(error, 'message')) ?? asText(error) ?? 'no details';
  const status = field(field(field(error, 'data'), 'response'), 'status');
  const url = asText(field(field(field(error, 'data'), 'request'), 'url')) ?? 'unknown URL';
  const answer =
    typeof status === 'number' && status > 0 ? `the server answered HTTP ${status}` : 'no answer';
  if (typeof code !== 'number') return { code: 'player', message: text, fatal: false };

  if (MANIFEST_DOWNLOAD.includes(code)) {
    return {
      code: 'manifest-unreachable',
      message: `The MPD ${context.manifestUrl} could not be loaded (${answer}): check the address, that the server runs, and that it allows cross-origin requests.`,
      fatal: true,
    };
  }
  if (MANIFEST_MALFORMED.includes(code)) {
    return {
      code: 'manifest-malformed',
      message: `${context.manifestUrl} is not a valid MPD: ${text}`,
      fatal: true,
    };
  }
  if (MANIFEST_UNPLAYABLE.includes(code)) {
    return {
      code: 'manifest-unplayable',
      message: `The MPD ${context.manifestUrl} offers nothing this browser can play: ${text}`,
      fatal: true,
    };
  }
  switch (code) {
    case SEGMENT_DOWNLOAD:
      return {
        code: 'segment-unavailable',
        message: `A media segment could not be loaded after all retries (${answer}): ${url}`,
        fatal: !context.otherBaseUrls(),
      };
    case INIT_DOWNLOAD:
      return {
        code: 'init-unavailable',
        message: `An initialization segment could not be loaded after all retries (${answer}): ${url}`,
        fatal: !context.otherBaseUrls(),
      };
    case NO_MEDIA_SOURCE:
      return {
        code: 'no-media-source',
        message: 'This browser has no Media Source Extensions.',
        fatal: true,
      };
    case TIME_SYNC:
      return {
        code: 'time-sync',
        message: `The live clock could not be set: ${text}`,
        fatal: false,
      };
    case MEDIA_ERR.network:
    case MEDIA_ERR.decode:
    case MEDIA_ERR.unsupported:
      return {
        code: 'decoder',
        message: `The decoder failed for good: ${text}. Try another rung or codec, or reload.`,
        fatal: true,
      };
    default:
      return { code: `dash-${code}`, message: text, fatal: false };
  }
}

/** Reads dash.js's `playbackError`, which comes first and from which it may recover. */
export function describePlaybackError(event: unknown): PlayerError | undefined {
  const error = field(event, 'error');
  const code = field(error, 'code');
  if (code !== MEDIA_ERR.decode) return undefined;
  const text = asText(field(error, 'message'));
  return {
    code: 'decoder-reset',
    message: `The decoder failed${text === undefined ? '' : ` (${text})`}; it is reset and the bad segment left out.`,
    fatal: false,
  };
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return (value as Record<string, unknown>)[name];
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
