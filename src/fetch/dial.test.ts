import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadNative } from '../kernel';
import { dial, type DialOptions } from './dial';

const SERVER = '127.0.0.1';
/** Two addresses of one interface; the first is for management only. */
const [MANAGEMENT, ROUTED] = ['127.0.0.2', '127.0.0.3'];
const network = { id: 'lo', interfaceIndex: 1, addresses: [MANAGEMENT, ROUTED] };

let server: Server;
let origin: URL;
let peers: (string | undefined)[];

beforeEach(async () => {
  peers = [];
  server = createServer((socket) => {
    peers.push(socket.remoteAddress);
    socket.on('error', () => undefined).end();
  });
  await new Promise<void>((resolve) => server.listen(0, SERVER, resolve));
  origin = new URL(`http://home.test:${(server.address() as AddressInfo).port}`);
});
afterEach(() => void server.close());

async function connect(options: Partial<DialOptions>): Promise<string | undefined> {
  const resolve = (): Promise<string[]> => Promise.resolve([SERVER]);
  const { bound } = await dial(origin, network, { addon: loadNative(), resolve, ...options });
  bound.socket.destroy();
  await expect.poll(() => peers.length).toBe(1);
  expect(peers[0]).toBe(bound.localAddress);
  return bound.localAddress;
}

describe('the source address', () => {
  it('is the kernel’s choice where the interface has a route for any source', async () => {
    // The route to 127.0.0.1 names it as the source too.
    expect(await connect({ reaches: () => Promise.resolve(true) })).toBe(SERVER);
  });

  it('is that of the source rule where only its table has a route', async () => {
    const reaches: DialOptions['reaches'] = (_, from) => Promise.resolve(from === ROUTED);
    expect(await connect({ reaches })).toBe(ROUTED);
  });

  it('is the first IPv4 address where the routes are unknown', async () => {
    expect(await connect({ reaches: () => Promise.resolve(undefined) })).toBe(MANAGEMENT);
    peers.length = 0;
    expect(await connect({})).toBe(MANAGEMENT);
  });

  it('does not matter without a route', async () => {
    await expect(connect({ reaches: () => Promise.resolve(false) })).rejects.toThrow(/no route/);
  });
});

describe('a name that was resolved before', () => {
  /** Nothing listens there, so a connection is refused. */
  const FORMER = '127.0.0.9';
  /** Asks for a new answer or not, by time. */
  let questions: boolean[];
  const resolver =
    (renewed: () => Promise<string[]>): DialOptions['resolve'] =>
    (_host, _network, isAnew = false) => {
      questions.push(isAnew);
      return isAnew ? renewed() : Promise.resolve([FORMER]);
    };
  beforeEach(() => void (questions = []));

  it('is looked up again where its address does not answer any more', async () => {
    await connect({ resolve: resolver(() => Promise.resolve([FORMER, SERVER])) });
    expect(questions).toEqual([false, true]);
  });

  it('is looked up again where its address is not permitted any more', async () => {
    const permits = (address: string): boolean => address !== FORMER;
    await connect({ resolve: resolver(() => Promise.resolve([SERVER])), permits });
    expect(questions).toEqual([false, true]);
  });

  it('is not followed to an address that is not permitted', async () => {
    const permits = (address: string): boolean => address === FORMER;
    const dialled = connect({ resolve: resolver(() => Promise.resolve([SERVER])), permits });
    await expect(dialled).rejects.toThrow(/nearer to this machine/);
    expect(peers).toEqual([]);
  });

  it('fails with the first reason where a lookup brings nothing new', async () => {
    const same = connect({ resolve: resolver(() => Promise.resolve([FORMER])) });
    await expect(same).rejects.toMatchObject({ cause_: 'refused' });
    const failing = connect({ resolve: resolver(() => Promise.reject(new Error('SERVFAIL'))) });
    await expect(failing).rejects.toMatchObject({ cause_: 'refused' });
  });
});
