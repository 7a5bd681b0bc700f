import { execFileSync } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { loadNative } from '../kernel';
import { connectBound } from './bound-connect';

/** First window of a network whose rate is not known yet. */
const FIRST_WINDOW_BYTES = 24_000;

it('negotiates a window scale although the first window is below 64 kB', async () => {
  const server = createServer((socket) => void socket.on('error', () => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const network = { id: 'lo', interfaceIndex: 1, addresses: ['127.0.0.2'] };
  const target = { address: '127.0.0.1', port, windowBytes: FIRST_WINDOW_BYTES };
  const { socket } = await connectBound(loadNative(), network, target);
  const listed = execFileSync('ss', ['-tinH', `dport = :${port}`], { encoding: 'utf8' });
  socket.destroy();
  await new Promise((resolve) => server.close(resolve));
  // Without a scale no window exceeds 64 kB: at 50 ms that is 10 Mbit/s, for as long as the connection lasts.
  const [, scale] = /wscale:\d+,(\d+)/.exec(listed) ?? [];
  expect(Number(scale ?? 0)).toBeGreaterThan(0);
});
