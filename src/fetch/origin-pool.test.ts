import { execFileSync } from 'node:child_process';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loadNative } from '../kernel';
import type { Exchange } from './exchange';
import { OriginPool } from './origin-pool';

const SOON = { timeout: 20_000 };

const network = { id: 'lo', interfaceIndex: 1, addresses: ['127.0.0.2'] };

const WINDOW_BYTES = 100_000;

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
  origin = new URL(`http://127.0.0.1:${port}`);
  const addon = loadNative();
  pool = new OriginPool(origin, () => network, {
    // A packet of the loopback interface is larger than the window of a network that nobody knows.
    addon: { ...addon, limitReceiveWindow: (fd) => addon.limitReceiveWindow(fd, WINDOW_BYTES) },
    resolve: () => Promise.resolve(['127.0.0.1']),
  });
});
afterEach(() => {
  pool.close('the test ends');
  server.closeAllConnections();
  server.close();
});

const nothing = (): void => undefined;

/** A request with the whole course of its answer. */
function ask(): { exchange: Exchange; ended: Promise<void> } {
  let end = nothing;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const exchange = pool.request(
    { method: 'GET', url: origin, headers: {} },
    { onHead: nothing, onData: nothing, onEnd: end, onFailure: end },
  );
  return { exchange, ended };
}

/** The largest window that the server was offered. */
function offeredBytes(): number {
  const filter = ['state', 'established', `sport = :${origin.port}`];
  const listed = execFileSync('ss', ['-tinH', ...filter], { encoding: 'utf8' });
  const offered = [...listed.matchAll(/snd_wnd:(\d+)/g)].map(([, bytes]) => Number(bytes));
  return Math.max(...offered);
}

/** Resolves with the connection that carries the request, once the server has it. */
async function send(onData: (bytes: Buffer) => void = nothing): Promise<Socket | null | undefined> {
  const before = waiting.length;
  pool.request(
    { method: 'GET', url: origin, headers: {} },
    { onHead: nothing, onData, onEnd: nothing, onFailure: nothing },
  );
  await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(before), SOON);
  return waiting.at(-1)?.socket;
}

it('keeps one idle connection beside the busy ones, for an urgent request', async () => {
  pool.warmUp();
  await vi.waitFor(() => expect(pool.warm).toBe(1), SOON);
  await send();
  await vi.waitFor(() => expect(pool.warm).toBe(1), SOON);
  await send();
  await vi.waitFor(() => expect(accepted).toHaveLength(3), SOON);
  await vi.waitFor(() => expect(pool.warm).toBe(1), SOON);
  await send();
  await vi.waitFor(() => expect(accepted).toHaveLength(4), SOON);
  await vi.waitFor(() => expect(pool.warm).toBe(1), SOON);
  // It needs no connection of its own, and leaves none over.
  expect(accepted).toContain(await send());
  expect([accepted.length, pool.free, pool.warm]).toEqual([4, 0, 0]);
});

it('opens one connection in advance, no more, while nothing is requested', async () => {
  pool.warmUp();
  pool.warmUp();
  await vi.waitFor(() => expect(pool.warm).toBe(1), SOON);
  pool.warmUp();
  await send();
  expect(accepted.length).toBeLessThanOrEqual(2);
});

it('survives the reset of an idle connection, and opens another one for the next request', async () => {
  pool.warmUp();
  await vi.waitFor(() => expect([accepted.length, pool.warm]).toEqual([1, 1]), SOON);
  accepted[0]?.resetAndDestroy();
  await vi.waitFor(() => expect(pool.warm).toBe(0), SOON);
  expect(await send()).not.toBe(accepted[0]);
});

it('limits the receive window, although the kernel’s autotuning widens it', async () => {
  let received = 0;
  await send((bytes) => (received += bytes.length));
  waiting[0]?.end(Buffer.alloc(20_000_000));
  await vi.waitFor(() => expect(received).toBeGreaterThan(10_000_000), SOON);
  expect(offeredBytes()).toBeLessThanOrEqual(1.2 * WINDOW_BYTES);
});

it('a request after a cancelled one takes the spare connection', SOON, async () => {
  const first = ask();
  await vi.waitFor(() => expect(waiting).toHaveLength(1), SOON);
  waiting[0]?.end();
  await first.ended;
  const { exchange } = ask();
  await vi.waitFor(() => expect(waiting).toHaveLength(2), SOON);
  await vi.waitFor(() => expect(accepted).toHaveLength(2), SOON);
  exchange.cancel();
  expect(pool.warm).toBe(1);
  ask();
  await vi.waitFor(() => expect(waiting).toHaveLength(3), SOON);
  // Not over a third one.
  expect(waiting[2]?.socket).toBe(accepted[1]);
});

it('requests at the same time share the window of a long path; on another path each has a whole one', async () => {
  const limits: number[] = [];
  const own = new OriginPool(origin, () => network, {
    addon: { ...loadNative(), limitReceiveWindow: (_, bytes) => void limits.push(bytes) },
    resolve: () => Promise.resolve(['127.0.0.1']),
  });
  const request = async (): Promise<number | undefined> => {
    own.warmUp();
    await vi.waitFor(() => expect(own.warm).toBeGreaterThan(0), SOON);
    const before = waiting.length;
    const [onHead, onData, onEnd, onFailure] = [nothing, nothing, nothing, nothing];
    own.request({ method: 'GET', url: origin, headers: {} }, { onHead, onData, onEnd, onFailure });
    const limit = limits.at(-1);
    await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(before), SOON);
    return limit;
  };
  try {
    const alone = await request();
    expect(await request()).toBe(alone);
    // So fast that the bound of memory limits the whole window.
    own.expect(1e15);
    const third = (await request()) ?? 0;
    expect(third).toBeGreaterThan(1e6);
    expect(await request()).toBe(Math.round((3 * third) / 4));
  } finally {
    own.close('the test ends');
  }
});
