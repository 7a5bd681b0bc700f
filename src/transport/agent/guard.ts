import { EMPTY_STYLE_HASH } from '../../ipc';
/** A host name that resolves to loopback by DNS rebinding still appears in the Host header. */
export function hostAllowed(host: string | undefined, port: number): boolean {
  return host === `127.0.0.1:${port}`;
}

export function originAllowed(origin: string | undefined, allowed: ReadonlySet<string>): boolean {
  return origin !== undefined && allowed.has(origin);
}

/**
 * Cookie that admits a page after a reload, when its token is used up. Cookies ignore ports, so the name
 * contains the port. No script can read it, and no page of another site sends it.
 */
export const returnCookie = {
  header: (port: number, path: string, value: string): string =>
    `Set-Cookie: multipath-dash-${port}=${value}; HttpOnly; SameSite=Strict; Path=${path}`,
  read: (header: string | undefined, port: number): string | undefined =>
    header
      ?.split(/; */)
      .find((pair) => pair.startsWith(`multipath-dash-${port}=`))
      ?.slice(`multipath-dash-${port}=`.length),
};

/**
 * The page's content security policy: its own scripts and styles, media from any origin, the feed. Media
 * segments pass `connect-src` and play from `blob:`.
 */
export function contentSecurityPolicy(port: number): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' ${EMPTY_STYLE_HASH}`,
    "img-src 'self' data:",
    "font-src 'self'",
    'media-src blob:',
    `connect-src 'self' http: https: ws://127.0.0.1:${port}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ');
}
