import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { OpenSocketOptions } from '../../native/index';
import { loadNative } from '../kernel';
import type { AddressSpace } from './address-space';
import { NetworkPools } from './network-pools';

const networks = [
  { id: 'a', interfaceIndex: 1, addresses: ['127.0.0.2'] },
  { id: 'b', interfaceIndex: 1, addresses: ['127.0.0.3'] },
];
/** Addresses of these tests: 127.0.0.1 stands for the internet, 127.0.0.9 for a router. */
const SERVER = '127.0.0.1';
const ROUTER = '127.0.0.9';

let server: Server;
let port: number;
let asked: string[];
let pools: NetworkPools;

beforeEach(async () => {
  asked = [];
  server = createServer((request, response) => {
    asked.push(request.socket.localAddress ?? '');
    response.end('x');
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterEach(() => {
  pools.close();
  server.closeAllConnections();
  server.close();
});

function open(
  addressOf: (host: string) => string,
  spaceOf: (address: string) => AddressSpace = (address) =>
    address === SERVER ? 'public' : 'private',
): void {
  const addon = loadNative();
  const dial = {
    addon: {
      ...addon,
      openSocket: (socket: OpenSocketOptions) =>
        addon.openSocket({ ...socket, interfaceName: 'lo' }),
    },
    resolve: (host: string) => Promise.resolve([addressOf(host)]),
    spaceOf,
  };
  pools = new NetworkPools(dial, `http://home.test:${port}`);
  pools.setNetworks(networks);
}

/** Resolves with the reason of the failure; undefined for an answer. */
async function get(networkId: string, host: string): Promise<string | undefined> {
  const url = new URL(`http://${host}:${port}/x`);
  await pools.locateHome(url.origin);
  return new Promise((resolve) => {
    pools.pool(networkId, url)?.request(
      { method: 'GET', url, headers: {} },
      {
        onHead: () => undefined,
        onData: () => undefined,
        onEnd: () => resolve(undefined),
        onFailure: ({ reason }) => resolve(reason),
      },
    );
  });
}

it('judges another origin by the stream’s own, also where the browser fetched the manifest', async () => {
  open((host) => (host === 'home.test' ? SERVER : ROUTER));
  expect(await get('a', 'printer.test')).toMatch(/nearer to this machine/);
  expect(asked).toEqual([]);
});

it('permits another private origin to a private stream', async () => {
  open(
    () => ROUTER,
    () => 'private',
  );
  expect(await get('a', 'printer.test')).toBeUndefined();
});

it('refuses every private origin while nobody knows where the stream’s own is', async () => {
  open((host) => (host === 'home.test' ? '127.0.0.250' : ROUTER));
  server.close();
  server.closeAllConnections();
  await new Promise<void>((resolve) => {
    server = createServer().listen(port, ROUTER, resolve);
  });
  expect(await get('a', 'printer.test')).toMatch(/nearer to this machine/);
});

it('waits once for the place of an origin that no network reaches', async () => {
  open(() => '127.0.0.250');
  server.close();
  const begunMs = performance.now();
  await Promise.all([pools.locateHome('http://a.test'), pools.locateHome('http://b.test')]);
  const firstMs = performance.now() - begunMs;
  for (let times = 0; times < 5; times += 1) await pools.locateHome('http://a.test');
  expect(performance.now() - begunMs).toBeLessThan(2 * firstMs);
});

it('does not follow the stream’s own name to a private address', async () => {
  let address = SERVER;
  open(() => address);
  expect(await get('a', 'home.test')).toBeUndefined();
  address = ROUTER;
  expect(await get('b', 'home.test')).toMatch(/nearer to this machine/);
  expect(asked).toEqual([SERVER]);
});

it('keeps the connections of a network whose other addresses come and go, and not of one that loses theirs', async () => {
  open(() => SERVER);
  expect(await get('a', 'home.test')).toBeUndefined();
  const pool = pools.pool('a', new URL(`http://home.test:${port}`));
  const more = { id: 'a', interfaceIndex: 1, addresses: ['127.0.0.2', '127.0.0.4'] };
  expect(pools.setNetworks([more])).toEqual(['b']);
  expect(pools.pool('a', new URL(`http://home.test:${port}`))).toBe(pool);
  expect(pools.networks()).toEqual([more]);
  expect(await get('a', 'home.test')).toBeUndefined();
  expect(pools.setNetworks([{ ...more, addresses: ['127.0.0.2'] }])).toEqual([]);
  expect(pools.pool('a', new URL(`http://home.test:${port}`))).toBe(pool);
  expect(pools.setNetworks([more])).toEqual([]);
  expect(pools.setNetworks([{ ...more, addresses: ['127.0.0.4'] }])).toEqual(['a']);
  expect(pools.setNetworks([{ ...more, addresses: ['127.0.0.4'], interfaceIndex: 2 }])).toEqual([
    'a',
  ]);
});
