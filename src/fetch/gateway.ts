import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  GATEWAY_EARLY_HEADER,
  GATEWAY_URL_HEADER,
  parseGatewayTarget,
  type GatewayRequest,
} from '../ipc';
import { keepNewest } from '../core';
import type { ObjectRequest } from './fetch-object';
import type { NetworkFetcher } from './network-fetcher';
import { waitUntil } from './wait-until';

/** Request headers that concern the page's connection with this gateway only. */
const OWN_REQUEST_HEADERS = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'cookie',
  'expect',
  'host',
  'if-range',
  'keep-alive',
  'origin',
  'range',
  'referer',
  'te',
  'transfer-encoding',
  'upgrade',
]);
/** Response headers that concern the connection with the server only, or what a browser keeps of an origin. */
const OWN_RESPONSE_HEADERS = new Set([
  'alt-svc',
  'clear-site-data',
  'connection',
  'content-security-policy',
  'content-security-policy-report-only',
  'keep-alive',
  'nel',
  'refresh',
  'report-to',
  'reporting-endpoints',
  'set-cookie',
  'strict-transport-security',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
/** A page requests a new origin and announces it on its feed at the same time. Either may arrive first. */
const ANNOUNCE_MS = 2000;
/** Origins that a page may use at a time: it watches 32, and changes them. */
const MAX_ORIGINS = 256;

export interface GatewayOptions {
  fetcher: NetworkFetcher;
  /** Origins of the pages that may read answers. */
  pageOrigins: ReadonlySet<string>;
}

/**
 * Serves media to a page of this machine. It fetches each requested object over every network and delivers it in order,
 * as it arrives. The caller has checked the client; the gateway checks the request.
 */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #origins = new Map<string, true>();

  constructor(options: GatewayOptions) {
    this.#options = options;
  }

  /** Origins of the page's stream; no other one is fetched. The newest count. */
  allow(origins: readonly string[]): void {
    for (const origin of origins) keepNewest(this.#origins, origin, true, MAX_ORIGINS);
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#permit(request, response);
    if (request.method === 'OPTIONS') {
      response.writeHead(204).end();
      return;
    }
    if (!['GET', 'HEAD', 'POST'].includes(request.method ?? '')) {
      refuse(response, 405, 'the gateway fetches, nothing else');
      return;
    }
    const target = parseGatewayTarget((request.url ?? '').split('?', 2)[1] ?? '');
    if (!target.ok) {
      refuse(response, 400, target.error);
      return;
    }
    const { origin } = new URL(target.value.url);
    if (!(await waitUntil(() => this.#origins.has(origin), ANNOUNCE_MS))) {
      refuse(response, 403, `${origin} is not an origin of this page's stream`);
      return;
    }
    if (request.method === 'POST') this.#announce(request, response, target.value);
    else await this.#serve(request, response, target.value);
  }

  #permit(request: IncomingMessage, response: ServerResponse): void {
    const { origin } = request.headers;
    if (origin === undefined || !this.#options.pageOrigins.has(origin)) return;
    response.setHeader('Access-Control-Allow-Origin', origin);
    response.setHeader('Access-Control-Expose-Headers', '*');
    response.setHeader('Vary', 'Origin');
    if (request.method !== 'OPTIONS') return;
    const wanted = request.headers['access-control-request-headers'];
    if (wanted !== undefined) response.setHeader('Access-Control-Allow-Headers', wanted);
    response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST');
    // Private Network Access: a public page may reach this machine only if the server permits it.
    response.setHeader('Access-Control-Allow-Private-Network', 'true');
    response.setHeader('Access-Control-Max-Age', '600');
  }

  #announce(request: IncomingMessage, response: ServerResponse, target: GatewayRequest): void {
    const { fetcher } = this.#options;
    const { stream, joinableInMs } = target;
    if (stream === undefined || joinableInMs === undefined) {
      refuse(response, 400, 'an announcement names its stream and may come in parts');
      return;
    }
    fetcher.announce({ ...objectRequest(request, target, fetcher.nowMs()), stream });
    response.writeHead(204).end();
  }

  async #serve(
    request: IncomingMessage,
    response: ServerResponse,
    target: GatewayRequest,
  ): Promise<void> {
    const { fetcher } = this.#options;
    const isHead = request.method === 'HEAD';
    const handle = await fetcher.fetch(objectRequest(request, target, fetcher.nowMs()), {
      onHead(head, earlyBytes) {
        const headers = Object.entries(head.headers).filter(
          ([name]) => !OWN_RESPONSE_HEADERS.has(name) && !name.startsWith('access-control-'),
        );
        headers.push(
          ['Timing-Allow-Origin', '*'],
          [GATEWAY_URL_HEADER, head.url],
          [GATEWAY_EARLY_HEADER, String(earlyBytes)],
        );
        try {
          response.writeHead(head.status, Object.fromEntries(headers));
        } catch {
          // Node refuses combinations of headers that a server may send.
          response.destroy();
        }
        if (isHead) response.end();
        else response.flushHeaders();
      },
      onData: (bytes) => response.write(bytes),
      onEnd: () => response.end(),
      onFailure(status, reason) {
        // An incomplete body ends with a broken connection, so that the player notices it.
        if (response.headersSent || response.destroyed) response.destroy();
        else refuse(response, status, reason);
      },
    });
    if (response.destroyed) handle.cancel();
    else response.once('close', () => handle.cancel());
    response.on('drain', () => handle.drained());
    if (isHead) response.once('finish', () => handle.cancel());
  }
}

function objectRequest(
  request: IncomingMessage,
  target: GatewayRequest,
  nowMs: number,
): ObjectRequest {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value !== 'string' || OWN_REQUEST_HEADERS.has(name)) continue;
    if (!name.startsWith('sec-') && !name.startsWith('access-control-')) headers[name] = value;
  }
  const ifRange = request.headers['if-range'];
  const range = readRange(request.headers.range, ifRange === undefined ? ifRange : String(ifRange));
  const { joinableInMs, neededInMs, stream, expectedBytes } = target;
  const isGrowing = joinableInMs !== undefined && joinableInMs > 0;
  return {
    url: new URL(target.url),
    headers,
    joinable: joinableInMs === 0 && request.method !== 'HEAD',
    stream,
    expectedBytes,
    ...(range ? { range } : {}),
    ...(isGrowing ? { grownAtMs: nowMs + joinableInMs } : {}),
    ...(neededInMs === undefined ? {} : { neededAtMs: nowMs + neededInMs }),
  };
}

/** Parses one range with a first byte. Others are ignored, as a server may do (RFC 9110, section 14.2). */
function readRange(text: string | undefined, validator?: string): ObjectRequest['range'] {
  const [, first, last] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(text ?? '') ?? [];
  if (first === undefined) return undefined;
  const start = Number(first);
  const end = last === undefined || last === '' ? undefined : Number(last) + 1;
  return end !== undefined && end <= start ? undefined : { start, end, validator };
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(`${reason}\n`);
}
