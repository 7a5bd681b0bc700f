import { GATEWAY_EARLY_HEADER, GATEWAY_URL_HEADER, gatewayTarget, withoutCmcd } from '../../ipc';
import type { MediaType } from '../../core';
import type { Clock, TransportMessage } from '../../ports';
import {
  RequestType,
  finite,
  growingChunkMs,
  isMediaType,
  type DashRequest,
} from '../dashjs/dash-types';

/**
 * The fetcher of the media. `networks`: the loopback gateway, over every network. `browser`: the browser itself. `auto`:
 * the gateway where there is one, unless the kernel's MPTCP carries the stream over several networks already.
 */
export type FetchChoice = 'auto' | 'browser' | 'networks';

/** Longest wait of the first request for the gateway's address, if the browser may not fetch. */
const GATEWAY_WAIT_MS = 3000;
/** Interval of the checks for that address. Chosen; no measurement. */
const LOOK_MS = 20;
/** Consecutive requests without an answer, aborted ones included, after which the gateway's process counts as ended. */
const MAX_SILENT = 8;

/** More than an initialization segment has: those of the demo have 0.8 kB. */
const INIT_BYTES = 2000;

/**
 * Margin for an error of the server's clock. A whole request for a complete segment costs less than ranges of a
 * growing one.
 */
const CLOCK_SLACK_MS = 500;

export interface GatewayRouteOptions {
  choice: FetchChoice;
  clock: Clock;
  /** The server's wall clock, in which times of availability are. */
  serverNowMs: () => number;
  bufferMs: (mediaType: MediaType) => number;
  /** The element's `playbackRate`. */
  playbackRate: () => number;
  /** The size of a segment, if it is known before its answer. */
  exactBytes: (request: DashRequest) => number | undefined;
  onProblem: (message: string) => void;
}

/** The part of dash.js's request that is rewritten here. */
interface RoutedRequest {
  url: string;
  /** Credentials mode of `fetch()`. */
  credentials?: string;
}
interface RoutedResponse {
  url?: string;
  status?: number;
  headers?: Record<string, string> | undefined;
}

const isSegment = ({ type, mediaType }: DashRequest): boolean =>
  type === RequestType.media && isMediaType(mediaType);

/** Time until the encoder has written the segment; 0 if it has. */
function growsForMs(request: DashRequest, nowMs: number): number {
  const availableMs = request.availabilityStartTime?.getTime() ?? NaN;
  const growsMs = (finite(request.duration) ?? 0) * 1000 - (growingChunkMs(request) ?? NaN);
  const leftMs = availableMs + growsMs + CLOCK_SLACK_MS - nowMs;
  return leftMs > 0 ? leftMs : 0;
}

/** Sends dash.js's requests through the loopback gateway. dash.js sees the original addresses in the answers. */
export class GatewayRoute {
  readonly #options: GatewayRouteOptions;
  /** The original addresses of requests in flight. */
  readonly #original = new WeakMap<object, string>();
  /**
   * Requests through the gateway. True for one by the address from dash.js's handler, without parameters that others add.
   * CMCD may be added, if the announcement of the next request can have it too.
   */
  readonly #plain = new WeakMap<DashRequest, boolean>();
  /** Two players of a page announce different streams. */
  readonly #name = Math.random().toString(36).slice(2, 10);
  #gatewayUrl: string | undefined;
  #isMptcp = false;
  #stopped = false;
  #silent = 0;
  #warned = false;
  #warnedOfCookies = false;

  constructor(options: GatewayRouteOptions) {
    this.#options = options;
  }

  /** From now on the browser fetches everything. */
  stop(): void {
    this.#stopped = true;
    this.#gatewayUrl = undefined;
  }

  hear(message: TransportMessage): void {
    if (message.type === 'carriage') {
      this.#isMptcp = message.report.carriage === 'mptcp';
      this.#gatewayUrl = message.gatewayUrl;
    }
    if (message.type === 'closed') this.stop();
  }

  /** Rewrites a request's address if the gateway fetches it. */
  async redirect(request: RoutedRequest & object, dashRequest: DashRequest): Promise<void> {
    const { choice } = this.#options;
    if (this.#stopped || choice === 'browser' || !/^https?:/i.test(request.url)) return;
    if (request.credentials === 'include') {
      // A page cannot read the server's cookies, so only the browser can send them.
      if (choice === 'networks' && !this.#warnedOfCookies) {
        this.#options.onProblem('The browser fetches the media with cookies itself.');
      }
      this.#warnedOfCookies = true;
      return;
    }
    if (choice === 'networks' && !this.#gatewayUrl) await this.#waitForGateway();
    if (!this.#gatewayUrl || (choice === 'auto' && this.#isMptcp)) return;
    const { mediaType } = dashRequest;
    this.#original.set(request, request.url);
    this.#plain.set(
      dashRequest,
      withoutCmcd(request.url) === withoutCmcd(dashRequest.url) &&
        !dashRequest.cmcd === !dashRequest.describe,
    );
    const bufferMs = isMediaType(mediaType) ? this.#options.bufferMs(mediaType) : undefined;
    request.url = this.#target(this.#gatewayUrl, request.url, dashRequest, bufferMs);
  }

  /** True if the gateway fetches it. */
  gathers(request: DashRequest): boolean {
    return this.#plain.has(request);
  }

  /**
   * Announces the next request, if the gateway fetches it.
   * @param neededInMs media played until its last byte is needed
   */
  announce(present: DashRequest, next: DashRequest, neededInMs: number): void {
    if (!this.#gatewayUrl || !this.#plain.get(present)) return;
    const { url, headers, range } = present.describe?.(next) ?? next;
    const target = this.#target(this.#gatewayUrl, url, next, neededInMs);
    // A lost announcement only delays the next request.
    fetch(target, {
      method: 'POST',
      headers: { ...headers, ...(range && { Range: `bytes=${range}` }) },
    }).catch(() => undefined);
  }

  #target(
    gatewayUrl: string,
    url: string,
    dashRequest: DashRequest,
    neededInMs: number | undefined,
  ): string {
    const { mediaType, type } = dashRequest;
    // At twice the speed the media is played in half the time. A paused film goes on at any moment.
    const speed = this.#options.playbackRate() || 1;
    return gatewayTarget(gatewayUrl, {
      url,
      // One network carries a growing segment, because its server gives neither a length nor ranges.
      joinableInMs:
        type === RequestType.media
          ? growsForMs(dashRequest, this.#options.serverNowMs())
          : undefined,
      neededInMs: neededInMs && neededInMs / speed,
      stream: isSegment(dashRequest) ? `${mediaType}-${this.#name}` : undefined,
      expectedBytes: this.#expectedBytes(dashRequest),
    });
  }

  /** The known size of a segment, else its duration at its rung's bit rate. Undefined for manifests, texts and keys. */
  #expectedBytes(request: DashRequest): number | undefined {
    if (request.type === RequestType.init) return INIT_BYTES;
    if (!isSegment(request)) return undefined;
    const seconds = finite(request.duration) ?? 0;
    const bitrateBps = finite(request.representation?.bandwidth) ?? 0;
    return this.#options.exactBytes(request) ?? (seconds * bitrateBps) / 8;
  }

  /**
   * Restores the original address, against which dash.js resolves others.
   * @returns the bytes that had arrived before the request; undefined where the gateway did not answer
   */
  restore(request: object, response: RoutedResponse): number | undefined {
    const original = this.#original.get(request);
    if (original === undefined) return undefined;
    this.#original.delete(request);
    response.url = response.headers?.[GATEWAY_URL_HEADER] ?? original;
    this.#silent = (response.status ?? 0) === 0 ? this.#silent + 1 : 0;
    if (this.#silent >= MAX_SILENT && this.#options.choice === 'auto') {
      this.#gatewayUrl = undefined;
      this.#warn('The gateway does not answer. The browser fetches the media itself.');
    }
    return finite(Number(response.headers?.[GATEWAY_EARLY_HEADER]));
  }

  async #waitForGateway(): Promise<void> {
    const { clock } = this.#options;
    const endMs = clock.nowMs() + GATEWAY_WAIT_MS;
    while (!this.#gatewayUrl && !this.#warned && !this.#stopped && clock.nowMs() < endMs) {
      await new Promise<void>((resolve) => void clock.after(LOOK_MS, resolve));
    }
    if (!this.#gatewayUrl) {
      this.#warn('There is no gateway. The browser fetches the media itself.');
    }
  }

  #warn(message: string): void {
    if (!this.#warned) this.#options.onProblem(message);
    this.#warned = true;
  }
}
