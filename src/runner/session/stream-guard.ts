import { lookup } from 'node:dns/promises';
import { createRequestGuard, spaceOfAddress, type RequestGuard } from '../../fetch';
import { monotonicClock } from '../../kernel';

/** Variables that give Chromium a proxy, in either case. */
const PROXY_VARIABLES = ['http_proxy', 'https_proxy', 'all_proxy'];

const addressesOf = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/** Addresses of the machine itself, by their text alone (RFC 6761, section 6.3). */
const isLocal = (host: string): boolean =>
  spaceOfAddress(host) === 'loopback' || /(^|\.)localhost\.?$/i.test(host);

/** True for an address of this program, before any name is resolved, or for one that the stream may reach. */
export type StreamGuard = Pick<RequestGuard, 'allows' | 'serves'>;

/**
 * The guard of the page's own requests, which dash.js sends past the gateway as well: reports, clocks, callbacks, licences.
 * The first request beyond this program waits for the addresses of the stream's name.
 * @param onRefused called once with each refused origin
 * @returns undefined for a stream of this machine, which may reach everything
 */
export function guardStream(
  url: URL,
  onRefused: (text: string) => void,
  resolve = addressesOf,
): StreamGuard | undefined {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isLocal(host)) return undefined;
  const hasProxy = PROXY_VARIABLES.flatMap((name) => [name, name.toUpperCase()]).some(
    (name) => (process.env[name] ?? '') !== '',
  );
  // Where the stream's own name has no address here, a proxy of the desktop resolves it.
  const isUnknown = resolve(host).then(
    (addresses) => addresses.length === 0,
    () => true,
  );
  const guard = createRequestGuard(
    resolve,
    () => monotonicClock.nowMs(),
    onRefused,
    async () => hasProxy || isUnknown,
  );
  const opened = guard.opened(url);
  const served = new Set<string>();
  return {
    serves: (origin) => void served.add(origin),
    async allows(asked) {
      if (served.has(asked.origin)) return true;
      await opened;
      return guard.allows(asked);
    },
  };
}
