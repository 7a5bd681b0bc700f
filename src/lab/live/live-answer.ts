import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { offerPart, requestedPart } from '../requested-part';
import { isGone, readyAtMs, segmentStartMs, splitChunks, type LiveFilm } from './live-film';

/**
 * Sends the written part of a segment at once, and the rest chunk by chunk as the encoder completes it. A complete
 * segment has a length, a strong validator and byte ranges. A growing one has none of them. It comes in HTTP/1.1
 * chunks (RFC 9112, section 7.1), and a range is ignored (RFC 9110, section 14.2).
 */
export async function answerLive(
  film: LiveFilm,
  file: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const name = path.basename(file);
  const content = await readFile(path.join(film.folder, name)).catch(() => undefined);
  if (content === undefined) {
    notThere(response);
    return;
  }
  response.setHeader('Content-Type', 'video/mp4');
  const startMs = segmentStartMs(film, name);
  if (startMs === undefined) {
    sendComplete(name, content, request, response);
    return;
  }
  const nowMs = Date.now();
  if (isGone(film, startMs, nowMs)) {
    notThere(response);
    return;
  }
  if (nowMs >= readyAtMs(film, startMs + film.segmentMs)) {
    sendComplete(name, content, request, response);
    return;
  }
  if (film.chunkMs === undefined || nowMs < readyAtMs(film, startMs)) {
    notThere(response);
    return;
  }
  if (request.method === 'HEAD') return void response.end();
  await sendGrowing(film, startMs, splitChunks(content), response);
}

const notThere = (response: ServerResponse): void => void response.writeHead(404).end();

async function sendGrowing(
  film: LiveFilm,
  startMs: number,
  chunks: readonly Buffer[],
  response: ServerResponse,
): Promise<void> {
  response.flushHeaders();
  for (const [index, chunk] of chunks.entries()) {
    const readyMs = readyAtMs(film, startMs + ((index + 1) / chunks.length) * film.segmentMs);
    const waitMs = readyMs - Date.now();
    if (waitMs > 0) await sleep(waitMs);
    if (response.destroyed) return;
    response.write(chunk);
  }
  response.end();
}

function sendComplete(
  name: string,
  content: Buffer,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const etag = `"${createHash('sha256').update(name).update(String(content.length)).digest('hex').slice(0, 16)}"`;
  const part = requestedPart(request.headers, etag, content.length);
  if (!offerPart(response, part, etag, content.length)) return;
  const { start, end } = part;
  response.setHeader('Content-Length', end - start);
  response.end(request.method === 'HEAD' ? undefined : content.subarray(start, end));
}
