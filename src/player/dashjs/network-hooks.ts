import type { MediaPlayerClass } from 'dashjs';
import { DashEvent, isStreamed, readDashRequest, type DashRequest } from './dash-types';
import type { InterceptedResponse, FailureHandling } from '../recovery/failure-handling';
import type { GatewayRoute } from '../requests/gateway-route';
import type { RequestTracker } from '../requests/request-tracker';
import type { RescueVerdict } from '../recovery/segment-rescue';

export interface NetworkHooksOptions {
  player: MediaPlayerClass;
  tracker: RequestTracker;
  /** Absent: answers are only observed. */
  failures?: FailureHandling | undefined;
  /** The route of requests; absent: the browser fetches. */
  route?: GatewayRoute | undefined;
  onStart: (requestId: number, startMs: number, request: DashRequest) => void;
  /** The request has its route and goes now; `exchange` is what dash.js's loader gets. */
  onSend: (request: DashRequest, exchange: object) => void;
  /** Chunks of a growing segment were appended. */
  onChunks: (request: object, bytes: ArrayBuffer) => void;
  /** The final URL of an answer, after redirects. */
  onUrl: (url: string) => void;
}

/**
 * Installs the tracker and the failure handling as dash.js's request and response interceptors. Call before
 * `initialize()`.
 */
export function hookNetwork(options: NetworkHooksOptions): void {
  const { player, tracker, failures } = options;

  player.addRequestInterceptor(async (request) => {
    const dashRequest = readDashRequest(request.customData);
    if (dashRequest) {
      const { requestId, startMs } = tracker.start(request, dashRequest);
      options.onStart(requestId, startMs, dashRequest);
      await options.route?.redirect(request, dashRequest);
      failures?.limitWait(request, dashRequest);
      options.onSend(dashRequest, request);
    }
    return request;
  });

  player.addResponseInterceptor((response) => {
    const answer: InterceptedResponse = response;
    const request = readDashRequest(answer.request.customData);
    if (!request) return Promise.resolve(response);
    const earlyBytes = options.route?.restore(answer.request, answer);
    const verdict: RescueVerdict = failures?.judge(answer, request) ?? { action: 'keep' };
    tracker.end(answer.request, {
      status: answer.status ?? 0,
      // A streamed answer holds only its remainder; the request counts all of it.
      bytes: isStreamed(request) ? undefined : sizeOf(answer.data),
      url: answer.url,
      earlyBytes,
      defect: verdict.defect,
    });
    if (answer.url) options.onUrl(answer.url);
    failures?.apply(verdict, answer, request);
    return Promise.resolve(response);
  });

  player.on(DashEvent.fragmentLoadingAbandoned, (event) => {
    if ('request' in event) tracker.abandoned(event.request);
  });
  player.on(DashEvent.fragmentLoadingProgress, (event) => {
    const { request, response } = event as { request?: unknown; response?: unknown };
    if (!(response instanceof ArrayBuffer) || typeof request !== 'object' || !request) return;
    tracker.streamed(request, response.byteLength);
    options.onChunks(request, response);
  });
}

function sizeOf(data: unknown): number | undefined {
  if (data instanceof ArrayBuffer) return data.byteLength;
  if (typeof data === 'string') return new TextEncoder().encode(data).length;
  return undefined;
}
