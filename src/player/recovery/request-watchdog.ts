import { formatBitRate, type Forecast, type MediaType } from '../../core';
import type { Clock } from '../../ports';
import { finite, isMediaType, isStreamed, type DashRequest } from '../dashjs/dash-types';
import type { RequestInFlight, RequestTracker } from '../requests/request-tracker';
import type { NewEvent } from '../session/session';
import type { RequestProgress, StuckRequests } from './stuck-requests';

export interface RequestWatchdogOptions {
  tracker: Pick<RequestTracker, 'inFlight'>;
  /** Undefined until its code is loaded. */
  stuck: () => StuckRequests | undefined;
  clock: Pick<Clock, 'nowMs'>;
  bufferMs: (mediaType: MediaType) => number;
  forecast: () => Forecast;
  /** True if the gateway fetches the request. */
  gathers: (request: DashRequest) => boolean;
  /** Abandons a request; dash.js sends it again at once. */
  abort: (request: DashRequest) => void;
  emit: (event: NewEvent) => void;
}

/** An initialization segment whose length is not known has a few kB. */
const SMALL_FILE_BYTES = 4000;

/** Sends requests again that are stuck. @returns a function to call on a timer */
export function watchRequests(options: RequestWatchdogOptions): () => void {
  const { tracker, stuck, clock, forecast, abort, emit } = options;
  return () => {
    const flights = tracker.inFlight();
    const progress = flights.flatMap((flight) => progressOf(flight, options));
    const around = { nowMs: clock.nowMs(), networks: networksOf(forecast()) };
    const found = stuck()?.look(progress, around) ?? [];
    for (const { requestId, rateBps, typicalBps } of found) {
      const flight = flights.find((one) => one.requestId === requestId);
      if (flight === undefined) continue;
      const { mediaType = '', request } = flight;
      emit({
        type: 'error',
        code: 'request-stuck',
        message:
          `The ${mediaType} segment at ${(finite(request.startTime) ?? 0).toFixed(1)} s comes at ` +
          `${formatBitRate(rateBps)}, others came at ${formatBitRate(typicalBps)}; ` +
          `it is requested again: ${request.url}`,
        fatal: false,
      });
      abort(request);
    }
  };
}

/** Number of networks. Without progress the forecast excludes networks that the scheduler leaves idle; they count here. */
function networksOf({ paths }: Forecast): number | undefined {
  if (paths.length === 0) return undefined;
  return paths.some((one) => one.usable) ? paths.length : 0;
}

/** The chunks of a streamed segment arrive at the pace of its encoder. */
function progressOf(
  { requestId, kind, mediaType, request, bytesLoaded, bytesTotal }: RequestInFlight,
  { bufferMs, gathers }: Pick<RequestWatchdogOptions, 'bufferMs' | 'gathers'>,
): RequestProgress[] {
  if (!isMediaType(mediaType) || isStreamed(request)) return [];
  if (kind !== 'media' && kind !== 'init') return [];
  const seconds = finite(request.duration);
  const bandwidth = finite(request.representation?.bandwidth);
  const expected = kind === 'media' ? ((bandwidth ?? 0) * (seconds ?? 0)) / 8 : SMALL_FILE_BYTES;
  return [
    {
      requestId,
      segment: `${mediaType} ${kind} ${finite(request.startTime) ?? ''}`,
      bytesLoaded,
      bytesTotal: bytesTotal ?? expected,
      bufferMs: bufferMs(mediaType),
      gathered: gathers(request),
    },
  ];
}
