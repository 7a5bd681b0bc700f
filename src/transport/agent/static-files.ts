import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/**
 * The file a request path names inside `root`, or undefined: nothing outside the folder (by `..`, by
 * symbolic link), nothing hidden, nothing that is not a regular file.
 */
async function resolveStatic(root: string, urlPath: string): Promise<string | undefined> {
  let decoded: string;
  try {
    decoded = decodeURIComponent(urlPath);
  } catch {
    return undefined;
  }
  if (!decoded.startsWith('/') || /[\0\\]/.test(decoded)) return undefined;
  const parts = decoded.split('/').filter((part) => part !== '');
  if (parts.some((part) => part.startsWith('.'))) return undefined;
  if (decoded.endsWith('/')) parts.push('index.html');
  try {
    const realRoot = await realpath(root);
    const file = await realpath(path.join(realRoot, ...parts));
    if (!file.startsWith(realRoot + path.sep)) return undefined;
    return (await stat(file)).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}

/** Answers a GET or HEAD with a file of `root`. */
export async function serveStatic(
  root: string,
  policy: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const headers = {
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cache-Control': 'no-store',
  };
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { ...headers, Allow: 'GET, HEAD' }).end();
    return;
  }
  const [urlPath = '/'] = (request.url ?? '/').split(/[?#]/, 1);
  const file = await resolveStatic(root, urlPath);
  if (file === undefined) {
    response.writeHead(404, { ...headers, 'Content-Type': 'text/plain' }).end('not found\n');
    return;
  }
  const type = contentTypes[path.extname(file).toLowerCase()] ?? 'application/octet-stream';
  response.writeHead(200, { ...headers, 'Content-Type': type });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  createReadStream(file)
    .on('error', () => response.destroy())
    .pipe(response);
}
