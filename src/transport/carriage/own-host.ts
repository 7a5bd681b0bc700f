import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import os from 'node:os';
import { bareHost } from '../../core';

const LOOPBACK = /^(?:127\.|::1$|::ffff:127\.)/;

/**
 * True if a host of a URL is this machine, undefined if it does not resolve. Ranges over networks do not apply to it: a
 * socket that is bound to a network does not reach loopback addresses, and this machine's other addresses need no network.
 * @param hostname as in `URL.hostname`, with brackets around IPv6
 */
export async function isOwnHost(hostname: string): Promise<boolean | undefined> {
  const addresses = await addressesOf(hostname);
  if (addresses.length === 0) return undefined;
  const own = new Set(
    Object.values(os.networkInterfaces()).flatMap((list) => (list ?? []).map((one) => one.address)),
  );
  return addresses.every((address) => LOOPBACK.test(address) || own.has(address));
}

/**
 * The addresses of a host of a URL; none if it does not resolve.
 * @param hostname as in `URL.hostname`
 */
export async function addressesOf(hostname: string): Promise<string[]> {
  const host = bareHost({ hostname });
  if (isIP(host) > 0) return [host];
  return lookup(host, { all: true }).then(
    (found) => found.map(({ address }) => address),
    () => [],
  );
}
