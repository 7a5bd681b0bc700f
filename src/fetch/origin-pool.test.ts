import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loadNative } from '../kernel';
import { OriginPool } from './origin-pool';

const network = { id: 'lo', interfaceIndex: 1, addresses: ['127.0.0.2'] };

let server: Server;
let origin: URL;
let pool: OriginPool;
/** Connections that the server accepted, and answers that it has not sent. */
let accepted: Socket[];
let waiting: ServerResponse[];

beforeEach(async () => {
  accepted = [];
  waiting = [];
  server = createServer((_, response) => void waiting.push(response));
  server.on('connection', (socket) => accepted.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  origin = new URL(`http://127.0.0.1:${String(port)}`);
  pool = new OriginPool(origin, network, {
    addon: loadNative(),
    resolve: () => Promise.resolve(['127.0.0.1']),
  });
});
afterEach(() => {
  pool.close('the test ends');
  server.closeAllConnections();
  server.close();
});

/** Resolves with the connection that carries the request, once the server has it. */
async function send(): Promise<Socket | null | undefined> {
  const before = waiting.length;
  const nothing = (): void => undefined;
  pool.request(
    { method: 'GET', url: origin, headers: {} },
    { onHead: nothing, onData: nothing, onEnd: nothing, onFailure: nothing },
  );
  await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(before));
  return waiting.at(-1)?.socket;
}

it('keeps a connection open beside those that carry, for the request that cannot wait', async () => {
  pool.warmUp();
  await vi.waitFor(() => expect(pool.warm).toBe(1));
  await send();
  await vi.waitFor(() => expect(pool.warm).toBe(1));
  await send();
  await vi.waitFor(() => expect(accepted).toHaveLength(3));
  await vi.waitFor(() => expect(pool.warm).toBe(1));
  // It needs no connection of its own, and leaves none over.
  expect(accepted).toContain(await send());
  expect([accepted.length, pool.free, pool.warm]).toEqual([3, 0, 0]);
});

it('opens one connection ahead, no more, while nothing is requested', async () => {
  pool.warmUp();
  pool.warmUp();
  await vi.waitFor(() => expect(pool.warm).toBe(1));
  pool.warmUp();
  await send();
  expect(accepted.length).toBeLessThanOrEqual(2);
});
