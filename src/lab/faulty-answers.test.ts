import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { AnswerFault } from '../scenario';
import { AnswerFaults, answerRequest } from './faulty-answers';

const CONTENT = 'a'.repeat(1000);
const root = mkdtempSync(path.join(tmpdir(), 'multipath-dash-answers-'));
const faults = new AnswerFaults();
const server = createServer((request, response) => {
  void answerRequest(request, response, root, faults);
});
let origin = '';

beforeAll(async () => {
  writeFileSync(path.join(root, 'segment.m4s'), CONTENT);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => faults.mend());
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(root, { recursive: true });
});

const get = (file = 'segment.m4s', headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${origin}/${file}`, { headers, signal: AbortSignal.timeout(2000) });

it('serves files and ranges of them, and nothing outside its folder', async () => {
  expect(await (await get()).text()).toBe(CONTENT);
  const part = await get('segment.m4s', { Range: 'bytes=10-19' });
  expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 10-19/1000']);
  expect(await part.text()).toHaveLength(10);
  const beyond = await get('segment.m4s', { Range: 'bytes=1000-' });
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */1000']);
  expect((await get('..%2f..%2fetc%2fpasswd')).status).toBe(404);
});

it('a fault concerns the first requests that match it', async () => {
  faults.add(/segment/, { kind: 'status', status: 503 }, 1);
  expect((await get('other')).status).toBe(404);
  expect((await get()).status).toBe(503);
  expect((await get()).status).toBe(200);
});

it('has a strong validator, and gives parts of that version only', async () => {
  faults.add(/./, { kind: 'corrupt', fromByte: 0 }, 1);
  const etag = (await get()).headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[0-9a-f]+-3e8"$/);
  const part = (required: string): Promise<Response> =>
    get('segment.m4s', { Range: 'bytes=10-19', 'If-Range': required });
  const same = await part(etag);
  expect([same.status, same.headers.get('etag')]).toEqual([206, etag]);
  const other = await part('"other"');
  expect([other.status, await other.text()]).toEqual([200, CONTENT]);
});

it('of several faults the newest counts, and each ends by itself', async () => {
  faults.add(/segment/, { kind: 'status', status: 503 }, Infinity, 'events.0');
  faults.add(/m4s/, { kind: 'status', status: 404 }, Infinity, 'events.1');
  expect((await get()).status).toBe(404);
  faults.mend('events.1');
  expect((await get()).status).toBe(503);
  faults.mend('events.0');
  expect((await get()).status).toBe(200);
});

it.each<[AnswerFault, string]>([
  [{ kind: 'break' }, 'fetch failed'],
  [{ kind: 'silent' }, 'timeout'],
  [{ kind: 'slow-head' }, 'timeout'],
  [{ kind: 'truncated', keepRatio: 0.5 }, 'terminated'],
])('%j gives no complete answer', async (fault, message) => {
  faults.add(/./, fault);
  await expect(get().then((answer) => answer.text())).rejects.toThrow(message);
});

it('changes what it serves: shorter, noise after the head, late, in a trickle', async () => {
  faults.add(/./, { kind: 'short', keepRatio: 0.25 }, 1);
  expect(await (await get()).text()).toHaveLength(250);
  faults.add(/./, { kind: 'corrupt', fromByte: 100 }, 1);
  const noise = await (await get()).text();
  expect([noise.slice(0, 100), noise.includes('a'.repeat(101))]).toEqual(['a'.repeat(100), false]);
  for (const fault of [
    { kind: 'late', delayMs: 200 },
    { kind: 'trickle', rateBps: 32_000 },
  ] as const) {
    faults.mend();
    faults.add(/./, fault, 1);
    const started = performance.now();
    expect(await (await get()).text()).toBe(CONTENT);
    expect(performance.now() - started).toBeGreaterThan(150);
  }
});

it('closes the connection after an answer, or when it is idle', async () => {
  faults.add(/./, { kind: 'close' }, 1);
  expect((await get()).headers.get('connection')).toBe('close');
});
