import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { createQuietServer } from './quiet-server';

let server: Server;
afterEach(() => server.close());

/** The answer to raw bytes, up to the end of the connection. */
async function answerTo(text: string): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let got = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => (got += chunk));
  socket.on('error', () => undefined);
  socket.write(text);
  // Not `once` of node:events, which throws at the reset of a long request.
  await new Promise((resolve) => socket.once('close', resolve));
  return got;
}

it.each([
  'garbage\r\n\r\n',
  'GET / HTTP/1.1\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: h\r\nExpect: wonders\r\n\r\n',
  `GET / HTTP/1.1\r\nHost: h\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
  'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
])('answers nothing before its listener does: %j', async (text) => {
  // Like a check of the peer, which takes its time and then refuses.
  server = createQuietServer((request) => void sleep(20).then(() => request.socket.destroy()));
  expect(await answerTo(text)).toBe('');
});

it('passes a request on, with its expectation', async () => {
  server = createQuietServer((request, response) => {
    response.setHeader('Connection', 'close').end(`${request.method} ${request.headers.expect}`);
  });
  const text = 'GET / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n\r\n';
  expect(await answerTo(text)).toMatch(/^HTTP\/1\.1 200 OK[^]*GET 100-continue$/);
});
