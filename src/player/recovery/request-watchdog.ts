import { formatBitRate, type Forecast, type MediaType } from '../../core';
import type { Clock } from '../../ports';
import type { RequestEvent } from '../../session-log';
import type { DashRequest } from '../dashjs/dash-types';
import type { RequestInFlight, RequestTracker } from '../requests/request-tracker';
import type { NewEvent } from '../session/session';
import { StuckRequests, type RequestProgress } from './stuck-requests';

export interface RequestWatchdogOptions {
  tracker: Pick<RequestTracker, 'inFlight'>;
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

export interface RequestWatchdog {
  /** A request has ended. */
  ended(event: Omit<RequestEvent, 'monotonicMs'>): void;
  /** Call it on a timer. */
  look(): void;
}

/** Sends requests again that are stuck. */
export function watchRequests(options: RequestWatchdogOptions): RequestWatchdog {
  const { tracker, clock, forecast, abort, emit } = options;
  const stuck = new StuckRequests();
  const look = (): void => {
    const flights = tracker.inFlight();
    const progress = flights.flatMap((flight) => progressOf(flight, options));
    const around = { nowMs: clock.nowMs(), networks: networksOf(forecast()) };
    for (const { requestId, rateBps, typicalBps } of stuck.look(progress, around)) {
      const flight = flights.find((one) => one.requestId === requestId);
      if (flight === undefined) continue;
      const { kind, mediaType = '', request } = flight;
      const atSeconds = kind === 'media' ? (request.startTime ?? 0) : 0;
      emit({
        type: 'error',
        code: 'request-stuck',
        message:
          `The ${mediaType} segment at ${atSeconds.toFixed(1)} s comes at ` +
          `${formatBitRate(rateBps)}, others came at ${formatBitRate(typicalBps)}; ` +
          `it is requested again: ${request.url}`,
        fatal: false,
      });
      abort(request);
    }
  };
  return { ended: (event) => stuck.ended(event), look };
}

/** Number of networks. Without progress the forecast excludes networks that the scheduler leaves idle; they count here. */
function networksOf({ paths }: Forecast): number | undefined {
  if (paths.length === 0) return undefined;
  return paths.some((one) => one.usable) ? paths.length : 0;
}

/** The chunks of a streamed segment arrive at the pace of its encoder. */
function progressOf(
  { requestId, kind, mediaType, request, streamed, bytesLoaded, bytesTotal }: RequestInFlight,
  { bufferMs, gathers }: Pick<RequestWatchdogOptions, 'bufferMs' | 'gathers'>,
): RequestProgress[] {
  if (!mediaType || streamed || (kind !== 'media' && kind !== 'init')) return [];
  const mediaBytes = ((request.representation?.bandwidth ?? 0) * (request.duration ?? 0)) / 8;
  return [
    {
      requestId,
      segment: `${mediaType} ${kind} ${request.startTime ?? ''}`,
      bytesLoaded,
      bytesTotal: bytesTotal ?? (kind === 'media' ? mediaBytes : SMALL_FILE_BYTES),
      bufferMs: bufferMs(mediaType),
      gathered: gathers(request),
    },
  ];
}
