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
