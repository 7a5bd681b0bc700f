import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { content, serveFile, slowly, type Route } from './two-networks';

/** The object that these routes serve. */
export const file = content(600_000);

export const good: Route = slowly((request, response) => serveFile(request, response, file), 20);
export const weak: Route = (request, response) => serveFile(request, response, file, 'W/"1"');
export const answering =
  (status: number, headers: OutgoingHttpHeaders = {}, body?: Buffer | string): Route =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

export function bounds({ headers }: IncomingMessage): [number, number] {
  const [, first = '0', last = ''] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
  return [Number(first), last === '' ? file.length : Math.min(file.length, Number(last) + 1)];
}

/** A part with headers that depend on the requested range. */
export const part =
  (headersOf: (start: number, end: number) => OutgoingHttpHeaders): Route =>
  (request, response) => {
    const [start, end] = bounds(request);
    const { range } = request.headers;
    if (range === undefined) response.writeHead(200, { 'Content-Length': file.length }).end(file);
    else response.writeHead(206, headersOf(start, end)).end(file.subarray(start, end));
  };
/** A wrong body, whose bytes show in a joined object. */
export const wrongPart =
  (headersOf: (start: number, end: number) => OutgoingHttpHeaders): Route =>
  (request, response) => {
    const [start, end] = bounds(request);
    response.writeHead(206, headersOf(start, end)).end(Buffer.alloc(end - start));
  };
export const contentRange = (
  start: number,
  end: number,
  total: number | '*' = file.length,
): string => `bytes ${start}-${end - 1}/${total}`;
