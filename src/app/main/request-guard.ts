import { lookup } from 'node:dns/promises';
import type { Session } from 'electron';
import type { IsProxied, RequestGuard, ResolveHost } from '../../fetch';

/** Chromium's own resolver if Electron provides it, so that both use the same addresses. */
export function resolverOf(session: Session): ResolveHost {
  const modern: Partial<Pick<Session, 'resolveHost'>> = session;
  if (modern.resolveHost === undefined) {
    return async (host) => (await lookup(host, { all: true })).map(({ address }) => address);
  }
  return async (host) => (await session.resolveHost(host)).endpoints.map(({ address }) => address);
}

/** True if a request goes to a proxy, which resolves the name itself. */
export const proxiedBy =
  (session: Session): IsProxied =>
  async (url) =>
    (await session.resolveProxy(url.href)) !== 'DIRECT';

/** The proxy through which Chromium reaches a URL first; undefined without one. */
export const proxyOf =
  (session: Pick<Session, 'resolveProxy'>) =>
  async (url: URL): Promise<string | undefined> =>
    firstProxy(await session.resolveProxy(url.href));

/** The host of the first of the rules, such as `PROXY host:3128; DIRECT`. */
export function firstProxy(rules: string): string | undefined {
  const [kind = '', host] = rules.split(';')[0]?.trim().split(/\s+/) ?? [];
  return kind === 'DIRECT' || kind === '' ? undefined : (host ?? kind);
}

/** Puts the guard before every request of the session's windows. */
export function guardRequests(session: Session, guard: RequestGuard): void {
  const urls = ['http://*/*', 'https://*/*', 'ws://*/*', 'wss://*/*'];
  session.webRequest.onBeforeRequest({ urls }, (details, done) => {
    guard.allows(new URL(details.url)).then(
      (allowed) => done({ cancel: !allowed }),
      () => done({ cancel: true }),
    );
  });
}
