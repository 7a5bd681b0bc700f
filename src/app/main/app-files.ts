import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { contentType } from '../../transport';
import { contentSecurityPolicy } from './security';
import { refuse, type FileServer } from './scheme';

/**
 * Serves the bundled window. The names are read once at start, so no request can name a file outside the
 * bundle.
 */
export function createAppFiles(folder: string): FileServer {
  const names = new Set(readdirSync(folder));
  return ({ url }) => {
    const name = url.pathname === '/' ? 'index.html' : url.pathname.slice(1);
    if (!names.has(name)) return Promise.resolve(refuse(404, 'no such file'));
    const body = readFileSync(path.join(folder, name));
    return Promise.resolve({
      status: 200,
      headers: {
        'content-type': contentType(name),
        'content-length': String(body.length),
        'content-security-policy': contentSecurityPolicy,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-cache',
      },
      body,
    });
  };
}
