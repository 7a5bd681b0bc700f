import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits in hex. */
export function createToken(): string {
  return randomBytes(32).toString('hex');
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in a time that tells nothing about where they differ. */
export function tokenMatches(offered: string | undefined, token: string): boolean {
  return timingSafeEqual(digest(offered ?? ''), digest(token)) && offered !== undefined;
}

/** A name that resolves to loopback by DNS rebinding still shows in the Host header. */
export function hostAllowed(host: string | undefined, port: number): boolean {
  return host === `127.0.0.1:${port}`;
}

export function originAllowed(origin: string | undefined, allowed: ReadonlySet<string>): boolean {
  return origin !== undefined && allowed.has(origin);
}

/**
 * The page's content security policy: its own scripts and styles, media from anywhere, the feed.
 * Media segments come through `connect-src` and are played from `blob:`.
 */
export function contentSecurityPolicy(port: number): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
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
