import type { MediaPlayerClass } from 'dashjs';
import { type DashSettings, parseUrl } from '../player';
import type { PlayerSnapshot } from '../ports';
import type { Multipath } from './embed';

/** Common Media Client Data, version 2 (CTA-5004-A), as dash.js sends it, with a key for the paths. */
export interface CmcdOptions {
  /** Session, a UUID; default dash.js's, a random one. */
  sessionId?: string | undefined;
  /** Content; default what dash.js makes of the MPD's address. */
  contentId?: string | undefined;
  /** `query` (default) needs no consent of other origins; `header` does, by CORS. */
  mode?: 'query' | 'header' | undefined;
  /** Leaves out the keys of the paths; default false. */
  withoutPaths?: boolean | undefined;
}

/** Custom keys need a prefix with a hyphen; this one stands for the kbit/s that each path is expected to carry. */
export const PATHS_KEY = 'multipathdash-paths';
/** The state of the media's transport, as in `TransportStatus`. */
export const TRANSPORT_KEY = 'multipathdash-transport';
const CMCD_VERSION = 2;
const QUERY = 'CMCD';
/** Values of dash.js's setting. Its types and text say `header`, but 5.2.1 takes that for `query`. */
const MODES = { query: 'query', header: 'headers' } as const;
/** Values that change with every request belong into this header. */
const HEADER = 'CMCD-Request';
/** Paths in one value: it travels with every request. */
const MAX_PATHS = 8;

/** Our keys as CMCD writes them; empty without path data. They name interfaces and nothing else of a path. */
export function pathKeys({
  forecast,
  status,
}: Pick<PlayerSnapshot, 'forecast' | 'status'>): string {
  if (forecast?.basis !== 'paths') return '';
  const paths = forecast.paths
    .slice(0, MAX_PATHS)
    .filter(({ pathId }) => /^[\w.:-]+$/.test(pathId))
    .map(({ pathId, rateBps, usable }) => `${pathId}=${usable ? Math.round(rateBps / 1000) : 0}`);
  if (paths.length === 0) return '';
  return `${PATHS_KEY}="${paths.join(' ')}",${TRANSPORT_KEY}="${status.state}"`;
}

/** A request of dash.js that carries CMCD already. */
export interface CmcdRequest {
  url: string;
  headers?: Record<string, string> | null | undefined;
}

/** A request as dash.js passes it to interceptors. */
interface Exchange extends CmcdRequest {
  customData?: { request?: { cmcd?: unknown; describe?: <T extends CmcdRequest>(other: T) => T } };
}

/** The part of dash.js's CmcdController that writes CMCD into the address or the headers of a request. */
interface CmcdController {
  applyCmcdToRequest(request: CmcdRequest): void;
}

/** The `this` of an extension: access to all of dash.js's singletons. */
interface ExtensionThis {
  context: unknown;
  factory: { getSingletonInstance(context: unknown, name: string): CmcdController | null };
}

/** Finds dash.js's CmcdController: once it plays; undefined before. Call before `initialize()`. */
function findController(dash: MediaPlayerClass): () => CmcdController | undefined {
  let controller: CmcdController | undefined;
  // An extension that changes nothing, of a class that each stream creates.
  dash.extend(
    'FragmentController',
    function (this: ExtensionThis) {
      controller = this.factory.getSingletonInstance(this.context, 'CmcdController') ?? undefined;
      return {};
    },
    true,
  );
  return () => controller;
}

/** Adds keys to those of dash.js, where it sends any. */
export function addKeys<T extends CmcdRequest>(request: T, keys: string): T {
  if (keys === '') return request;
  const said = request.headers?.[HEADER];
  if (said !== undefined) {
    return { ...request, headers: { ...request.headers, [HEADER]: `${said},${keys}` } };
  }
  const url = parseUrl(request.url);
  const query = url?.searchParams.get(QUERY);
  if (!url || !query) return request;
  url.searchParams.set(QUERY, `${query},${keys}`);
  return { ...request, url: url.href };
}

/**
 * Has dash.js send CMCD. Call before its `initialize()`, and before other code adds an interceptor: the gateway's replaces
 * the address.
 * @returns a function that adds the keys of the paths of a player, until its `destroy`: dash.js may play on
 */
export function enableCmcd(
  dash: MediaPlayerClass,
  options: true | CmcdOptions,
): (multipath: Multipath) => Multipath {
  const {
    sessionId,
    contentId,
    mode = 'query',
    withoutPaths = false,
  } = options === true ? {} : options;
  const settings: DashSettings = {
    streaming: {
      cmcd: {
        enabled: true,
        version: CMCD_VERSION,
        mode: MODES[mode] as 'query' | 'header',
        ...(sessionId === undefined ? {} : { sid: sessionId }),
        ...(contentId === undefined ? {} : { cid: contentId }),
      },
    },
  };
  dash.updateSettings(settings);
  const controller = findController(dash);
  let present: Multipath | undefined;
  const keys = (): string => (present && !withoutPaths ? pathKeys(present.snapshot()) : '');
  // A segment that the gateway fetches ahead has data of its own, of the time when the server gets its request.
  const describe = <T extends CmcdRequest>(other: T): T => {
    const copy = { ...other };
    controller()?.applyCmcdToRequest(copy);
    return addKeys(copy, keys());
  };
  dash.addRequestInterceptor((exchange) => {
    const { request } = (exchange as Exchange).customData ?? {};
    if (request?.cmcd && controller()) request.describe = describe;
    // The same object: other code distinguishes requests by it.
    const { url, headers } = addKeys(exchange as CmcdRequest, keys());
    return Promise.resolve(Object.assign(exchange, { url, ...(headers ? { headers } : {}) }));
  });
  return (multipath) => {
    present = multipath;
    return {
      ...multipath,
      destroy: (reason) => {
        present = undefined;
        multipath.destroy(reason);
      },
    };
  };
}
