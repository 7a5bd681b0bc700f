import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerLive } from './live-answer';
import { isGone, readyAtMs, segmentStartMs, splitChunks, type LiveFilm } from './live-film';
import { liveManifest } from './live-manifest';

const box = (type: string, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes, type);
  buffer.writeUInt32BE(bytes);
  buffer.write(type, 4, 'latin1');
  return buffer;
};
const chunk = (bytes: number): Buffer => Buffer.concat([box('moof', 16), box('mdat', bytes - 16)]);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'live-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const filmAt = (startedAtMs: number, more: Partial<LiveFilm> = {}): LiveFilm => ({
  folder,
  segmentMs: 2000,
  chunkMs: 500,
  startedAtMs,
  ...more,
});

describe('a live film', () => {
  it('knows its segments by number and its initialization by name', () => {
    const film = filmAt(0);
    expect(segmentStartMs(film, 'chunk-0-00003.m4s')).toBe(4000);
    expect(segmentStartMs({ ...film, firstNumber: 0 }, 'chunk-stream1-00003.m4s')).toBe(6000);
    expect(segmentStartMs(film, 'init-0.m4s')).toBeUndefined();
  });

  it('has all later media late after a stall of its encoder', () => {
    const film = filmAt(1000, { stall: { atMs: 4000, lateMs: 3000 } });
    expect([3000, 4000, 5000, 9000].map((ms) => readyAtMs(film, ms))).toEqual([
      4000, 8000, 8000, 10_000,
    ]);
  });

  it('deletes a segment some time after its window', () => {
    const film = filmAt(0, { windowMs: 10_000 });
    expect(isGone(film, 0, 15_000)).toBe(false);
    expect(isGone(film, 0, 17_000)).toBe(true);
  });

  it('is split behind each mdat, with nothing lost', () => {
    const segment = Buffer.concat([box('styp', 24), chunk(100), box('sidx', 52), chunk(60)]);
    const chunks = splitChunks(segment);
    expect(chunks.map(({ length }) => length)).toEqual([124, 112]);
    expect(Buffer.concat(chunks)).toEqual(segment);
    expect(splitChunks(Buffer.alloc(20))).toEqual([]);
  });
});

describe('its server', () => {
  const segment = Buffer.concat([chunk(100), chunk(200), chunk(300), chunk(400)]);

  async function ask(film: LiveFilm, headers: Record<string, string> = {}) {
    const server = createServer((request, response) => {
      void answerLive(film, request.url ?? '', request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const response = await new Promise<IncomingMessage>((resolve) => {
      get({ port, host: '127.0.0.1', path: '/chunk-0-00001.m4s', headers }, resolve);
    });
    const pieces: { bytes: number; atMs: number }[] = [];
    for await (const piece of response) {
      pieces.push({ bytes: (piece as Buffer).length, atMs: Date.now() });
    }
    server.close();
    const bytes = pieces.reduce((sum, piece) => sum + piece.bytes, 0);
    return { response, pieces, bytes };
  }

  beforeEach(() => writeFileSync(join(folder, 'chunk-0-00001.m4s'), segment));

  it('streams a growing segment, a chunk when it is written, without a length or ranges', async () => {
    // Long enough that a loaded machine asks before its end.
    const film = filmAt(Date.now(), { segmentMs: 4000, chunkMs: 1000 });
    const { response, pieces, bytes } = await ask(film, { range: 'bytes=0-9' });
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-length']).toBeUndefined();
    expect(response.headers['transfer-encoding']).toBe('chunked');
    expect(response.headers.etag).toBeUndefined();
    expect(bytes).toBe(1000);
    expect(pieces.at(-1)?.atMs).toBeGreaterThanOrEqual(film.startedAtMs + 4000 - 5);
    expect(pieces.length).toBeGreaterThan(1);
  });

  it('answers ranges of a complete segment, with one validator', async () => {
    const film = filmAt(Date.now() - 5000);
    const { response, bytes } = await ask(film, { range: 'bytes=10-19' });
    expect(response.statusCode).toBe(206);
    expect(response.headers['content-range']).toBe('bytes 10-19/1000');
    expect(bytes).toBe(10);
    const { etag = '' } = response.headers;
    expect((await ask(film, { range: 'bytes=0-9', 'if-range': etag })).response.statusCode).toBe(
      206,
    );
    expect((await ask(film, { range: 'bytes=0-9', 'if-range': '"x"' })).bytes).toBe(1000);
    expect((await ask(film, { range: 'bytes=1000-' })).response.statusCode).toBe(416);
  });

  it.each([
    ['has no segment that the encoder has not begun', { ago: -60_000 }],
    ['has no growing segment where segments appear as a whole', { ago: 1000, chunkMs: undefined }],
    ['has no segment that left the window', { ago: 60_000, windowMs: 10_000 }],
  ])('%s', async (_, { ago, ...more }) => {
    expect((await ask(filmAt(Date.now() - ago, more))).response.statusCode).toBe(404);
  });
});

describe('its MPD', () => {
  const mpd = `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011"
	type="static"
	mediaPresentationDuration="PT6.0S"
	minBufferTime="PT4.0S">
	<ProgramInformation>
	</ProgramInformation>
	<ServiceDescription id="0">
	</ServiceDescription>
	<Period><SegmentTemplate duration="2" startNumber="1"/></Period>
</MPD>`;

  it('asks for a latency and offers segments that grow', () => {
    const text = liveManifest({ film: filmAt(0), mpd, latencyMs: 3000, timeUrl: 'http://s/time' });
    expect(text).toContain('type="dynamic"');
    expect(text).not.toContain('mediaPresentationDuration');
    expect(text).toContain('availabilityStartTime="1970-01-01T00:00:00.000Z"');
    expect(text).toContain(
      'startNumber="1" availabilityTimeOffset="1.5" availabilityTimeComplete="false"',
    );
    expect(text).toContain('<Latency target="3000" min="1500" max="6000"/>');
    expect(text).toMatch(/<UTCTiming [^>]*value="http:\/\/s\/time"\/><\/MPD>$/);
  });

  it('offers whole segments without chunks, and no clock where there is none', () => {
    const text = liveManifest({ film: filmAt(0, { chunkMs: undefined, firstNumber: 0 }), mpd });
    expect(text).not.toMatch(/availabilityTime(Offset|Complete)|Latency|UTCTiming/);
    expect(text).toContain('startNumber="0"');
  });
});
