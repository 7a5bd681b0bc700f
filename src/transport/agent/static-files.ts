import { constants } from 'node:fs';
import { open, realpath, type FileHandle } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { lookup } from 'mrmime';

/** Media type by file name; plain bytes if the name gives none. */
export function contentType(name: string): string {
  const type = lookup(name) ?? 'application/octet-stream';
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type;
}

/** An empty page without scripts. */
export const START_PATH = '/start';
const START_PAGE = '<!doctype html><title>multipath-dash</title>\n';

/** Errors of too few descriptors or too little memory: the request may succeed a moment later. */
const exhausted: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'ENOMEM']);
const isExhausted = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && exhausted.has(error.code);

/**
 * Returns the file that a request path names inside `root`. Returns undefined for anything outside the folder
 * (by `..`, by symbolic link), hidden, or not a regular file.
 * @throws the system's error if no descriptor is left
 */
async function openStatic(
  root: string,
  urlPath: string,
): Promise<{ handle: FileHandle; name: string } | undefined> {
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
    // Otherwise opening a pipe would wait for a writer.
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const isFile = await handle.stat().then(
      (found) => found.isFile(),
      () => false,
    );
    if (isFile) return { handle, name: file };
    await handle.close();
    return undefined;
  } catch (error) {
    if (isExhausted(error)) throw error;
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
  if (urlPath === START_PATH) {
    response.writeHead(200, { ...headers, 'Content-Type': 'text/html; charset=utf-8' });
    response.end(START_PAGE);
    return;
  }
  let file: Awaited<ReturnType<typeof openStatic>>;
  try {
    file = await openStatic(root, urlPath);
  } catch {
    response.writeHead(503, { ...headers, 'Retry-After': '1' }).end();
    return;
  }
  if (file === undefined) {
    response.writeHead(404, { ...headers, 'Content-Type': 'text/plain' }).end('not found\n');
    return;
  }
  const { handle, name } = file;
  try {
    response.writeHead(200, { ...headers, 'Content-Type': contentType(name) });
    if (request.method === 'HEAD') response.end();
    // Unlike `pipe`, closes the file also when the reader disconnects.
    else await pipeline(handle.createReadStream({ autoClose: false }), response);
  } finally {
    await handle.close();
  }
}
