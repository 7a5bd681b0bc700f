import type { Session } from 'electron';
import { APP_ORIGIN } from './scheme';

export interface OpenedOrigins {
  /** Lets the window read the origin of this URL. */
  allow(url: URL): void;
}

const replaced = /^(access-control-allow-|timing-allow-origin$)/i;

/**
 * A web page may only read servers that send CORS headers, but a viewer expects any entered address to play.
 * The origin of an opened stream therefore answers the window with CORS headers. All other origins follow the
 * rules of the web.
 */
export function openOrigins(session: Session): OpenedOrigins {
  const origins = new Set<string>();
  session.webRequest.onHeadersReceived({ urls: ['http://*/*', 'https://*/*'] }, (details, done) => {
    if (!origins.has(new URL(details.url).origin)) {
      done({});
      return;
    }
    const kept = Object.entries(details.responseHeaders ?? {}).filter(
      ([name]) => !replaced.test(name),
    );
    const responseHeaders = {
      ...Object.fromEntries(kept),
      'Access-Control-Allow-Origin': [APP_ORIGIN],
      'Access-Control-Allow-Methods': ['GET, HEAD'],
      'Access-Control-Allow-Headers': ['Range'],
      'Access-Control-Expose-Headers': ['Content-Length, Content-Range, Date'],
      'Timing-Allow-Origin': [APP_ORIGIN],
    };
    const preflight = details.method === 'OPTIONS';
    done({ responseHeaders, ...(preflight && { statusLine: 'HTTP/1.1 204 No Content' }) });
  });
  return { allow: (url) => void origins.add(url.origin) };
}
