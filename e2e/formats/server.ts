import { createReadStream, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { answerLive } from '../../src/lab';
import type { LiveFilm } from './live';

/** The answer to a request in place of the file. */
export type Fault =
  | { status: number }
  | 'refuse'
  | 'silent'
  /** Delay of the first byte. */
  | { delayMs: number }
  /** Folder to redirect to; the file's name stays. */
  | { redirectTo: string }
  | 'gzip'
  /** The file without a length: the end of the connection ends the answer. */
  | 'chunked'
  /** The file with noise in its last bytes. The boxes stay intact. */
  | { corruptFrom: number };

export interface FormatServer {
  origin: string;
  /** Answers `GET /name`. */
  page(name: string, content: () => string): void;
  /** Serves a folder below `/name/`. */
  film(name: string, folder: string): void;
  /** Serves a folder below `/name/` in the state that an encoder has written so far. */
  live(name: string, film: LiveFilm): void;
  fault(pattern: RegExp, fault: Fault, times?: number): void;
  mend(): void;
  /** Every requested path and query, in order. */
  readonly asked: readonly string[];
  /** Refuses connections for a while, like a restarted server. Open connections break. */
  restart(downMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Serves films, generated manifests and live streams, with the faults that a test sets. */
export async function serveFormats(): Promise<FormatServer> {
  const pages = new Map<string, () => string>();
  const films = new Map<string, string>();
  const lives = new Map<string, LiveFilm>();
  const asked: string[] = [];
  let faults: { pattern: RegExp; fault: Fault; left: number }[] = [];

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://localhost');
    asked.push(pathname + search);
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Headers', '*');
    response.setHeader('Cache-Control', 'no-store');
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    const broken = faults.find(({ pattern, left }) => left > 0 && pattern.test(pathname));
    if (broken) broken.left -= 1;
    const fault = broken?.fault;
    if (fault === 'silent') return;
    if (fault === 'refuse') return void request.socket.destroy();
    if (typeof fault === 'object' && 'status' in fault) {
      return void response.writeHead(fault.status).end();
    }
    if (typeof fault === 'object' && 'delayMs' in fault) {
      await new Promise((resolve) => setTimeout(resolve, fault.delayMs));
    }
    if (typeof fault === 'object' && 'redirectTo' in fault) {
      const location = path.posix.join(fault.redirectTo, path.basename(pathname));
      return void response.writeHead(302, { Location: location }).end();
    }
    const page = pages.get(pathname.slice(1));
    if (page && fault === 'gzip') {
      return void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(page()));
    }
    if (page) return void response.end(page());
    const [, name = '', file = ''] = /^\/([^/]+)\/([^/]+)$/.exec(pathname) ?? [];
    const live = lives.get(name);
    if (live) return answerLive(live, file, request, response);
    const folder = films.get(name);
    if (folder === undefined) return void response.writeHead(404).end();
    if (fault === 'chunked') {
      response.writeHead(200, { Connection: 'close' });
      return void createReadStream(path.join(folder, path.basename(file))).pipe(response);
    }
    const from =
      typeof fault === 'object' && 'corruptFrom' in fault ? fault.corruptFrom : undefined;
    await sendFile(path.join(folder, path.basename(file)), request, response, from);
  };

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(500).end());
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    page: (name, content) => void pages.set(name, content),
    film: (name, folder) => void films.set(name, folder),
    live: (name, film) => void lives.set(name, film),
    fault: (pattern, fault, times = Infinity) => void faults.push({ pattern, fault, left: times }),
    mend: () => {
      faults = [];
    },
    asked,
    restart: async (downMs) => {
      await stop();
      await new Promise((resolve) => setTimeout(resolve, downMs));
      await listen(port);
    },
    close: stop,
  };
}

async function sendFile(
  file: string,
  request: IncomingMessage,
  response: ServerResponse,
  corruptFrom: number | undefined,
): Promise<void> {
  let bytes: number;
  try {
    bytes = statSync(file).size;
  } catch {
    return void response.writeHead(404).end();
  }
  if (corruptFrom !== undefined) {
    const content = await readFile(file);
    for (let at = corruptFrom; at < content.length; at += 1) content[at] = (at * 151 + 7) % 251;
    return void response.end(content);
  }
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? [];
  const start = Number(first ?? 0);
  const end = Math.min(bytes - 1, last === undefined || last === '' ? bytes - 1 : Number(last));
  if (start > end) return void response.writeHead(416).end();
  response.writeHead(first === undefined ? 200 : 206, {
    'Content-Length': end - start + 1,
    ...(first === undefined ? {} : { 'Content-Range': `bytes ${start}-${end}/${bytes}` }),
  });
  createReadStream(file, { start, end }).pipe(response);
}
