import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server as TcpServer,
} from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { loadNative } from '../kernel';
import type { Exchange, ExchangeFailure } from './exchange';
import { OriginPool } from './origin-pool';

const SOON = { timeout: 20_000 };
const BYTES = 200_000;

let server: Server | TcpServer | undefined;
let pool: OriginPool | undefined;

afterEach(() => {
  pool?.close('the test ends');
  server?.close();
  if (server && 'closeAllConnections' in server) server.closeAllConnections();
});

async function poolOf(made: Server | TcpServer): Promise<OriginPool> {
  server = made;
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  const { port } = made.address() as AddressInfo;
  const network = { id: 'lo', interfaceIndex: 1, addresses: ['127.0.0.2'] };
  const addon = loadNative();
  pool = new OriginPool(new URL(`http://127.0.0.1:${port}`), () => network, {
    // A packet of the loopback interface is larger than the window of a network that nobody knows.
    addon: { ...addon, limitReceiveWindow: (fd) => addon.limitReceiveWindow(fd, 1_000_000) },
    resolve: () => Promise.resolve(['127.0.0.1']),
  });
  return pool;
}

interface Asked {
  exchange: Exchange;
  /** The number of bytes, or why there are none. */
  ended: Promise<number | ExchangeFailure>;
}

function ask(own: OriginPool, start: number, mayFollow = true): Asked {
  let exchange: Exchange | undefined;
  const ended = new Promise<number | ExchangeFailure>((resolve) => {
    let bytes = 0;
    exchange = own.request(
      {
        method: 'GET',
        url: new URL(`http://127.0.0.1:${port()}/`),
        headers: { range: `bytes=${start}-${start + BYTES - 1}` },
      },
      {
        onHead: () => undefined,
        onData: (piece) => (bytes += piece.length),
        onEnd: () => resolve(bytes),
        onFailure: resolve,
      },
      { mayFollow },
    );
  });
  if (!exchange) throw new Error('not sent');
  return { exchange, ended };
}

const port = (): number => (server?.address() as AddressInfo).port;

/** A server whose answers the test sends. */
function held(): {
  made: Server;
  waiting: { request: IncomingMessage; response: ServerResponse }[];
} {
  const waiting: { request: IncomingMessage; response: ServerResponse }[] = [];
  const made = createServer((request, response) => void waiting.push({ request, response }));
  return { made, waiting };
}

const body = Buffer.alloc(BYTES);

/** A pool whose server has answered twice, on a connection that it kept open if it may. The first answer does not count. */
async function after(made: Server, waiting: { response: ServerResponse }[]): Promise<OriginPool> {
  const own = await poolOf(made);
  const first = ask(own, 0);
  await vi.waitFor(() => expect(waiting).toHaveLength(1), SOON);
  waiting.shift()?.response.end(body);
  expect(await first.ended).toBe(BYTES);
  const second = ask(own, 0);
  await vi.waitFor(() => expect(waiting).toHaveLength(1), SOON);
  waiting[0]?.response.end(body);
  expect(await second.ended).toBe(BYTES);
  return own;
}

/** As `after`, with a server whose answers the test sends. */
async function grown() {
  const { made, waiting } = held();
  return { made, waiting, own: await after(made, waiting) };
}

it(
  'sends the next requests over the same connection before the answer is complete',
  SOON,
  async () => {
    const { own, waiting } = await grown();
    expect(own.isSeparate).toBe(false);
    const asked = [ask(own, 0), ask(own, 1), ask(own, 2)];
    await vi.waitFor(() => expect(waiting).toHaveLength(4), SOON);
    expect(new Set(waiting.map(({ request }) => request.socket)).size).toBe(1);
    for (const { response } of waiting.slice(1)) response.end(body);
    expect(await Promise.all(asked.map(({ ended }) => ended))).toEqual([BYTES, BYTES, BYTES]);
  },
);

it('begins no line on a connection in slow start', SOON, async () => {
  const { made, waiting } = held();
  const own = await poolOf(made);
  const first = ask(own, 0);
  await vi.waitFor(() => expect(waiting).toHaveLength(1), SOON);
  waiting[0]?.response.end(Buffer.alloc(100_000));
  await first.ended;
  expect(own.isSeparate).toBe(true);
  ask(own, 0);
  ask(own, 1);
  await vi.waitFor(() => expect(waiting).toHaveLength(3), SOON);
  expect(waiting[2]?.request.socket).not.toBe(waiting[1]?.request.socket);
});

it(
  'a request that may not follow, such as one for a silent network’s bytes, has its own connection',
  SOON,
  async () => {
    const { own, waiting } = await grown();
    ask(own, 0);
    await vi.waitFor(() => expect(waiting).toHaveLength(2), SOON);
    ask(own, 1, false);
    await vi.waitFor(() => expect(waiting).toHaveLength(3), SOON);
    expect(waiting[2]?.request.socket).not.toBe(waiting[1]?.request.socket);
  },
);

it('a cancelled request that waits in a line leaves the answer before it alone', SOON, async () => {
  const { own, waiting } = await grown();
  const present = ask(own, 0);
  const next = ask(own, 1);
  await vi.waitFor(() => expect(waiting).toHaveLength(3), SOON);
  next.exchange.cancel();
  waiting[1]?.response.end(body);
  expect(await present.ended).toBe(BYTES);
  // Its connection carries nothing new, because the unwanted answer comes next.
  ask(own, 2);
  await vi.waitFor(() => expect(waiting).toHaveLength(4), SOON);
  expect(waiting[3]?.request.socket).not.toBe(waiting[1]?.request.socket);
});

it('a cancelled answer moves those behind it to another connection', SOON, async () => {
  const { own, waiting } = await grown();
  const present = ask(own, 0);
  const next = ask(own, 1);
  await vi.waitFor(() => expect(waiting).toHaveLength(3), SOON);
  waiting[1]?.response.write(Buffer.alloc(1000));
  present.exchange.cancel();
  await vi.waitFor(() => expect(waiting).toHaveLength(4), SOON);
  waiting[3]?.response.end(body);
  expect(await next.ended).toBe(BYTES);
});

it('a reader that pauses delays no request of another reader', SOON, async () => {
  const { own, waiting } = await grown();
  const paused = ask(own, 0);
  const behind = ask(own, 1);
  await vi.waitFor(() => expect(waiting).toHaveLength(3), SOON);
  waiting[1]?.response.write(Buffer.alloc(1000));
  paused.exchange.pause();
  expect(await paused.ended).toMatchObject({ kind: 'closed' });
  await vi.waitFor(() => expect(waiting).toHaveLength(4), SOON);
  waiting[3]?.response.end(body);
  expect(await behind.ended).toBe(BYTES);
});

it('sends nothing behind the answer of a reader that pauses', SOON, async () => {
  const { own, waiting } = await grown();
  ask(own, 0).exchange.pause();
  ask(own, 1);
  await vi.waitFor(() => expect(waiting).toHaveLength(3), SOON);
  expect(waiting[2]?.request.socket).not.toBe(waiting[1]?.request.socket);
});

it('sends one by one again to a server that answers only the first of a line', SOON, async () => {
  let requests = 0;
  const head = `HTTP/1.1 206 Partial Content\r\nContent-Length: ${BYTES}\r\n\r\n`;
  const own = await poolOf(
    createTcpServer((socket) => {
      let isBusy = false;
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => {
        requests += bytes.toString().split('GET ').length - 1;
        if (isBusy) return;
        isBusy = true;
        setTimeout(() => socket.write(head + body.toString('latin1'), () => (isBusy = false)), 50);
      });
    }),
  );
  for (let count = 0; count < 2; count += 1) expect(await ask(own, 0).ended).toBe(BYTES);
  const present = ask(own, 0);
  const lost = ask(own, 1);
  expect(await present.ended).toBe(BYTES);
  // Another connection shows that the network delivers.
  expect(await ask(own, 2, false).ended).toBe(BYTES);
  await new Promise((resolve) => setTimeout(resolve, 1100));
  lost.exchange.cancel();
  await vi.waitFor(() => expect(requests).toBe(5), SOON);
  const later = [ask(own, 0), ask(own, 1)];
  expect(await Promise.all(later.map(({ ended }) => ended))).toEqual([BYTES, BYTES]);
});

it('sends one by one again to a server that mixes up its answers', SOON, async () => {
  const { own, waiting } = await grown();
  const asked = [ask(own, 1), ask(own, 2)];
  await vi.waitFor(() => expect(waiting).toHaveLength(3), SOON);
  for (const { response } of waiting.slice(1)) {
    response.writeHead(206, { 'content-range': `bytes 1-${BYTES}/1000000` }).end(body);
  }
  expect(await asked[0]?.ended).toBe(BYTES);
  expect(await asked[1]?.ended).toMatchObject({ kind: 'closed' });
  expect(own.isSeparate || own.connections.length === 0).toBe(true);
});

it('a viewer who seeks, and so cancels a whole line, keeps lines', SOON, async () => {
  const { own, waiting } = await grown();
  const asked = [ask(own, 0), ask(own, 1), ask(own, 2)];
  await vi.waitFor(() => expect(waiting).toHaveLength(4), SOON);
  for (const { exchange } of asked) exchange.cancel();
  const later = ask(own, 0);
  await vi.waitFor(() => expect(waiting).toHaveLength(5), SOON);
  waiting[4]?.response.end(body);
  expect(await later.ended).toBe(BYTES);
  expect(own.isSeparate).toBe(false);
});

it('asks on another connection while a server that closes each one answers', SOON, async () => {
  const waiting: { request: IncomingMessage; response: ServerResponse }[] = [];
  const made = createServer((request, response) => {
    waiting.push({ request, response: response.setHeader('connection', 'close') });
  });
  const own = await after(made, waiting);
  ask(own, 0);
  await vi.waitFor(() => expect(waiting).toHaveLength(2), SOON);
  waiting[1]?.response.writeHead(200, { 'content-length': String(2 * BYTES) }).write(body);
  await vi.waitFor(() => expect(own.free).toBeGreaterThan(0), SOON);
  ask(own, 1);
  await vi.waitFor(() => expect(waiting).toHaveLength(3), SOON);
});

it(
  'a place is free again after a cancelled request whose connection ended meanwhile',
  SOON,
  async () => {
    const { made, own, waiting } = await grown();
    const atPort = port();
    const asked = [ask(own, 0), ask(own, 1), ask(own, 2)];
    await vi.waitFor(() => expect(waiting).toHaveLength(4), SOON);
    made.close();
    made.closeAllConnections();
    await asked[0]?.ended;
    asked[2]?.exchange.cancel();
    await asked[1]?.ended;
    await new Promise<void>((resolve) => made.listen(atPort, '127.0.0.1', resolve));
    await vi.waitFor(() => expect(own.free).toBe(4), SOON);
  },
);

it(
  'a reader that pauses in the middle of a line delays nobody once its turn comes',
  SOON,
  async () => {
    const { own, waiting } = await grown();
    const asked = [ask(own, 0), ask(own, 1), ask(own, 2)];
    await vi.waitFor(() => expect(waiting).toHaveLength(4), SOON);
    asked[1]?.exchange.pause();
    waiting[1]?.response.end(body);
    expect(await asked[0]?.ended).toBe(BYTES);
    expect(await asked[1]?.ended).toMatchObject({ kind: 'closed' });
    await vi.waitFor(() => expect(waiting).toHaveLength(5), SOON);
    waiting[4]?.response.end(body);
    expect(await asked[2]?.ended).toBe(BYTES);
  },
);
