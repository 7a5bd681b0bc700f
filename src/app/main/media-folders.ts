import { randomBytes } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { open, readlink, realpath, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { StreamSource } from '../../ipc';
import { contentType } from '../../transport';
import { parseByteRange } from './byte-range';
import {
  APP_ORIGIN,
  MEDIA_HOST,
  refuse,
  SCHEME,
  type FileResponse,
  type FileServer,
} from './scheme';

/** A local file that cannot be played; `message` gives its name and the reason. */
export class MediaFileError extends Error {
  override readonly name = 'MediaFileError';
}

export interface MediaFolders {
  /** Lets the window read the MPD's folder, and returns the URL to play. Throws MediaFileError. */
  open(mpdFile: string): Promise<StreamSource>;
  /** True if a URL lies in a folder opened by the viewer. */
  owns(url: URL): boolean;
  readonly serve: FileServer;
}

/** Readable only by the app's window; harmless in any other page. */
const safeHeaders = {
  'access-control-allow-origin': APP_ORIGIN,
  'access-control-expose-headers': 'content-length, content-range',
  'timing-allow-origin': APP_ORIGIN,
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

function fileProblem(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return 'no such file';
  if (code === 'EACCES' || code === 'EPERM') return 'permission denied';
  return error instanceof Error ? error.message : 'cannot be read';
}

/** The path below a folder named by a URL, or undefined if it must not be served. */
export function relativePath(encoded: string): string | undefined {
  let decoded: string;
  try {
    decoded = decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
  const parts = decoded.split('/');
  // Hidden files are never media; this also covers `.` and `..`.
  if (parts.some((part) => part === '' || part.startsWith('.') || part.includes('\0'))) {
    return undefined;
  }
  return parts.join('/');
}

/** Opens a file below `root`, following no link out of it; undefined if there is nothing to serve. */
async function openBeneath(root: string, relative: string): Promise<FileHandle | undefined> {
  let handle: FileHandle;
  try {
    // O_NONBLOCK: opening a named pipe must not wait for a writer.
    handle = await open(path.join(root, relative), constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    // Checks the open descriptor: no file can be exchanged between this check and the read.
    const actual = await readlink(`/proc/self/fd/${handle.fd}`);
    const beneath = actual.startsWith(root.endsWith('/') ? root : `${root}/`);
    if (beneath && (await handle.stat()).isFile()) return handle;
  } catch {
    // Falls through to closing it.
  }
  await handle.close();
  return undefined;
}

async function respond(
  root: string,
  relative: string,
  range: string | undefined,
): Promise<FileResponse> {
  const handle = await openBeneath(root, relative);
  if (handle === undefined) return refuse(404, 'no such file', safeHeaders);
  const { size } = await handle.stat();
  const wanted = parseByteRange(range, size);
  if (wanted === 'unsatisfiable') {
    await handle.close();
    return refuse(416, 'range not satisfiable', {
      ...safeHeaders,
      'content-range': `bytes */${size}`,
    });
  }
  const headers: Record<string, string> = {
    ...safeHeaders,
    'content-type': contentType(relative),
    'accept-ranges': 'bytes',
  };
  const { start, end } = wanted === 'whole' ? { start: 0, end: size - 1 } : wanted;
  headers['content-length'] = String(end - start + 1);
  if (wanted !== 'whole') headers['content-range'] = `bytes ${start}-${end}/${size}`;
  if (size === 0) {
    await handle.close();
    return { status: 200, headers, body: Buffer.alloc(0) };
  }
  // A file that shrinks meanwhile ends short, which the loader reports as a failed request.
  const body = createReadStream('', { fd: handle, start, end });
  return { status: wanted === 'whole' ? 200 : 206, headers, body };
}

/** Folders of the MPD files opened by the viewer, each with an unguessable id. */
export function createMediaFolders(): MediaFolders {
  const roots = new Map<string, string>();

  const split = (url: URL): { root: string; rest: string } | undefined => {
    if (url.protocol !== `${SCHEME}:` || url.host !== MEDIA_HOST) return undefined;
    const match = /^\/([^/]+)\/(.+)$/.exec(url.pathname);
    const root = roots.get(match?.[1] ?? '');
    return root === undefined || match?.[2] === undefined ? undefined : { root, rest: match[2] };
  };

  return {
    async open(mpdFile) {
      let file: string;
      try {
        file = await realpath(mpdFile);
        if (!(await stat(file)).isFile()) throw new Error('not a file');
      } catch (error) {
        throw new MediaFileError(`${mpdFile}: ${fileProblem(error)}`);
      }
      const name = path.basename(file);
      if (name.startsWith('.')) throw new MediaFileError(`${mpdFile}: hidden files are not served`);
      const id = randomBytes(16).toString('hex');
      roots.set(id, path.dirname(file));
      return {
        url: `${SCHEME}://${MEDIA_HOST}/${id}/${encodeURIComponent(name)}`,
        label: mpdFile,
      };
    },
    owns: (url) => split(url) !== undefined,
    async serve({ url, range }) {
      const found = split(url);
      const relative = found === undefined ? undefined : relativePath(found.rest);
      if (found === undefined || relative === undefined)
        return refuse(404, 'no such file', safeHeaders);
      return respond(found.root, relative, range);
    },
  };
}
