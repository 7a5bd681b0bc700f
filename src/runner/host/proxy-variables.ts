import { BlockList, isIP } from 'node:net';
import { bareHost, portOf } from '../../core';

type Environment = Readonly<Record<string, string | undefined>>;

/** A variable in lower or upper case, as curl and Chromium read it; undefined if it is empty. */
function valueOf(env: Environment, name: string): string | undefined {
  return [env[name], env[name.toUpperCase()]].find((value) => value !== undefined && value !== '');
}

/**
 * The proxy of `http_proxy`, `https_proxy` and `all_proxy` for a URL, unless `no_proxy` exempts it.
 * @returns its host and port, without user and password; undefined without a proxy
 */
export function proxyOfVariables(url: URL, env: Environment): string | undefined {
  const own = url.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const proxy = valueOf(env, own) ?? valueOf(env, 'all_proxy');
  if (proxy === undefined || isExempt(url, valueOf(env, 'no_proxy') ?? '')) return undefined;
  const address = proxy.includes('://') ? proxy : `http://${proxy}`;
  // A proxy that cannot be read counts: a program may still understand it.
  return URL.canParse(address) ? new URL(address).host : 'of the environment';
}

/** True if an entry of `no_proxy` names the host, a domain above it, its network or everything. */
function isExempt(url: URL, noProxy: string): boolean {
  const host = bareHost(url).toLowerCase();
  const port = String(portOf(url));
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*' || isInNetwork(host, entry)) return true;
      const [, name = entry, ofPort] = /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? [];
      if (ofPort !== undefined && ofPort !== port) return false;
      const domain = name.replace(/^\*?\./, '').replace(/^\[(.*)\]$/, '$1');
      return host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`));
    });
}

/** True if an address is in a network such as 10.0.0.0/8. */
function isInNetwork(host: string, entry: string): boolean {
  const [, network = '', bits = ''] = /^(.+)\/(\d{1,3})$/.exec(entry) ?? [];
  const family = isIP(network);
  if (family === 0 || family !== isIP(host) || Number(bits) > (family === 4 ? 32 : 128)) {
    return false;
  }
  const type = family === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(network, Number(bits), type);
  return list.check(host, type);
}
