import { lookup } from 'node:dns/promises';
import { bareHost } from '../../core';
import { createRequestGuard, spaceOfAddress, spaceOfHost, type RequestGuard } from '../../fetch';
import { monotonicClock } from '../../kernel';

/** Variables that give Chromium a proxy, in either case. */
const PROXY_VARIABLES = ['http_proxy', 'https_proxy', 'all_proxy'];

const addressesOf = async (host: string): Promise<string[]> =>
  (await lookup(host, { all: true })).map(({ address }) => address);

/** Longest wait for the addresses of the stream's name before the page opens. */
const LOOK_UP_MS = 5000;

export interface StreamGuard extends Pick<RequestGuard, 'allows' | 'serves'> {
  /**
   * The one address that the stream's name may stand for, where that is a local one. A server that gives this program
   * a local address and the browser another would else choose its own rights.
   */
  pinned?: { host: string; address: string };
}

/**
 * The guard of the page's own requests, which dash.js sends past the gateway as well: reports, clocks, callbacks, licences.
 * @param onRefused called once with each refused origin
 * @returns undefined for a stream of this machine, which may reach everything
 */
export async function guardStream(
  url: URL,
  onRefused: (text: string) => void,
  resolve = addressesOf,
): Promise<StreamGuard | undefined> {
  const host = bareHost(url);
  if (spaceOfHost(host) === 'loopback') return undefined;
  const hasProxy = PROXY_VARIABLES.flatMap((name) => [name, name.toUpperCase()]).some(
    (name) => (process.env[name] ?? '') !== '',
  );
  const guard = createRequestGuard(
    (name) => within(LOOK_UP_MS, resolve(name)),
    () => monotonicClock.nowMs(),
    onRefused,
    // A proxy resolves names itself, so a name without an address here may have one there.
    () => Promise.resolve(hasProxy),
  );
  const [address] = await guard.opened(url);
  const isLocalName = address !== undefined && spaceOfAddress(address) !== 'public';
  // A name that the browser takes for this address alone needs no further look-up.
  if (isLocalName) guard.serves(url.origin);
  return {
    serves: (origin) => guard.serves(origin),
    allows: (asked) => guard.allows(asked),
    ...(isLocalName ? { pinned: { host, address } } : {}),
  };
}

/** @throws Error after that time */
async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), limitMs);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
