import { lookup } from 'node:dns/promises';
import { createRequestGuard, type RequestGuard } from '../../fetch';
import { monotonicClock } from '../../kernel';

/** Variables that give Chromium a proxy, in either case. */
const PROXY_VARIABLES = ['http_proxy', 'https_proxy', 'all_proxy'];

const addressesOf = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * The guard of the page's own requests, which dash.js sends past the gateway as well: reports, clocks, callbacks, licences.
 * @param onRefused called once with each refused origin
 * @returns undefined for a stream of this machine, which may reach everything
 */
export async function guardStream(
  url: URL,
  onRefused: (text: string) => void,
  resolve = addressesOf,
): Promise<RequestGuard | undefined> {
  const hasProxy = PROXY_VARIABLES.flatMap((name) => [name, name.toUpperCase()]).some(
    (name) => (process.env[name] ?? '') !== '',
  );
  // Where the stream's own name has no address here, a proxy of the desktop resolves it.
  const isUnknown =
    (await resolve(url.hostname.replace(/^\[|\]$/g, '')).catch(() => [])).length === 0;
  const guard = createRequestGuard(
    resolve,
    () => monotonicClock.nowMs(),
    onRefused,
    () => Promise.resolve(hasProxy || isUnknown),
  );
  await guard.opened(url);
  return guard.permits('127.0.0.1') ? undefined : guard;
}
