import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadNative, monotonicClock } from '../kernel';
import { NetworkFetcher, type NetworkFetcherOptions } from './network-fetcher';
import { content, serveFile } from './testing/two-networks';

const file = content(600_000);
const BUDGET_BYTES = 200_000;
/** Patience with a busy machine. */
const SOON = { timeout: 20_000 };
const ADDRESSES = { free: '127.0.0.2', costly: '127.0.0.3' };

let fetcher: NetworkFetcher;
let server: Server;
let origin: string;
/** Requests that came over each network. */
let asked: { network: string; url: string }[];
/** The free network resets every connection. */
let isFreeOut: boolean;
/** Milliseconds that the fetcher's clock is ahead. */
let aheadMs: number;

beforeEach(async () => {
  asked = [];
  isFreeOut = false;
  aheadMs = 0;
  server = createServer((request, response) => {
    const network = request.socket.remoteAddress === ADDRESSES.free ? 'free' : 'costly';
    asked.push({ network, url: request.url ?? '' });
    if (network === 'free' && isFreeOut) request.socket.resetAndDestroy();
    else if (request.url === '/endless') {
      // A length that nobody knows.
      response.writeHead(200);
      const timer = setInterval(() => response.write(file.subarray(0, 20_000)), 5);
      response.once('close', () => clearInterval(timer));
    } else serveFile(request, response, file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  fetcher = make();
  fetcher.setPrice('costly', { costly: true, budgetBytes: BUDGET_BYTES });
});
afterEach(async () => {
  fetcher.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function make(options: Partial<NetworkFetcherOptions> = {}): NetworkFetcher {
  const addon = loadNative();
  return new NetworkFetcher({
    addon: {
      ...addon,
      openSocket: (options) => addon.openSocket({ ...options, interfaceName: 'lo' }),
      limitReceiveWindow: () => undefined,
    },
    clock: { ...monotonicClock, nowMs: () => monotonicClock.nowMs() + aheadMs },
    networks: Object.entries(ADDRESSES).map(([id, address]) => ({
      id,
      interfaceIndex: 1,
      addresses: [address],
    })),
    ...options,
  });
}

interface Fetched {
  body: Buffer;
  failure?: string;
}

function fetchFile(path: string, joinable = true): Promise<Fetched> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    const end = (failure?: string): void =>
      resolve({ body: Buffer.concat(pieces), ...(failure === undefined ? {} : { failure }) });
    const request = { url: new URL(path, origin), headers: {}, joinable };
    void fetcher.fetch(request, {
      onHead: () => undefined,
      onData: (bytes) => pieces.push(bytes) > 0,
      onEnd: () => end(),
      onFailure: (_, reason) => end(reason),
    });
  });
}

const over = (network: string): number => asked.filter((one) => one.network === network).length;
const received = (networkId: string): number =>
  fetcher.report().networks.find((one) => one.networkId === networkId)?.receivedBytes ?? 0;

/** The state after a minute in which the free network was out: the policy left the costly one as the only active. */
async function spendBudget(): Promise<void> {
  fetcher.want('free', 'closed');
  fetcher.want('costly', 'active');
  void fetchFile('/spends');
  await expect.poll(() => fetcher.isSpent('costly'), SOON).toBe(true);
}

describe('a budget that is spent', () => {
  it('is kept to the byte, and leaves the stream to a free network that is a backup', async () => {
    await spendBudget();
    expect(received('costly')).toBe(BUDGET_BYTES);
    const before = over('costly');
    fetcher.want('free', 'backup');
    expect((await fetchFile('/x')).body.equals(file)).toBe(true);
    expect(over('costly')).toBe(before);
    expect(received('costly')).toBe(BUDGET_BYTES);
  });

  it('takes the network out of use and reports the reason', async () => {
    await spendBudget();
    const reasons = fetcher.report().networks.map(({ outReason }) => outReason);
    expect(reasons).toEqual([undefined, 'its budget of 200 kB is spent']);
  });

  it('fails a request that no other network can serve, with the reason of each', async () => {
    await spendBudget();
    const fetched = fetchFile('/x');
    await fetcher.ready;
    await expect.poll(() => fetcher.busy, SOON).toBe(true);
    // Each of the driver's looks is at most a second apart.
    const timer = setInterval(() => (aheadMs += 2000), 100);
    const { failure } = await fetched;
    clearInterval(timer);
    expect(failure).toBe('free: not in use; costly: its budget of 200 kB is spent');
  });

  it('does not delay a waiting request once the free network returns', async () => {
    await spendBudget();
    const fetched = fetchFile('/x');
    await fetcher.ready;
    fetcher.want('free', 'active');
    const { body, failure } = await fetched;
    expect(failure).toBeUndefined();
    expect(body.equals(file)).toBe(true);
    expect(received('costly')).toBe(BUDGET_BYTES);
  });

  it('ends an answer of unknown length', async () => {
    fetcher.want('free', 'closed');
    void fetchFile('/endless', false);
    await expect.poll(() => fetcher.isSpent('costly'), SOON).toBe(true);
    // No more than the packet in which the budget ended.
    expect(received('costly')).toBeLessThan(BUDGET_BYTES + 70_000);
  });
});

describe('before the first request', () => {
  it('a connection is open over each network in use', async () => {
    const connected: (string | undefined)[] = [];
    server.on('connection', ({ remoteAddress }) => connected.push(remoteAddress));
    fetcher.want('costly', 'closed');
    await fetcher.ready;
    fetcher.prepare(new URL(origin));
    await expect.poll(() => connected, SOON).toEqual([ADDRESSES.free]);
    fetcher.want('costly', 'active');
    fetcher.prepare(new URL(origin));
    await expect.poll(() => connected, SOON).toEqual(Object.values(ADDRESSES));
    expect(asked).toEqual([]);
  });
});

describe('a network that is a backup', () => {
  it('is connected and sampled, so that a policy sees that it lives', async () => {
    fetcher.want('free', 'backup');
    await fetchFile('/x');
    await expect
      .poll(() => fetcher.sample()?.subflows.map(({ pathId, state }) => [pathId, state]), SOON)
      .toEqual([
        ['free', 'backup'],
        ['costly', 'active'],
      ]);
  });

  it('that was reset is sampled again with the next request', async () => {
    isFreeOut = true;
    fetcher.want('costly', 'active');
    const small = fetchFile('/x');
    await expect.poll(() => over('free'), SOON).toBeGreaterThan(0);
    isFreeOut = false;
    fetcher.want('free', 'backup');
    await small;
    await fetchFile('/y');
    await expect
      .poll(() => fetcher.sample()?.subflows.map(({ pathId }) => pathId), SOON)
      .toContain('free');
  });
});

describe('a single network', () => {
  /** The networks in use where these interfaces have a default route. */
  const taken = async (...defaults: string[]): Promise<string[]> => {
    fetcher.close();
    fetcher = make({ single: true, defaultInterfaces: () => defaults });
    await fetcher.ready;
    return fetcher.networks.map(({ id }) => id);
  };

  it('is the one of the default route with the lowest metric', async () => {
    expect(await taken('costly', 'free')).toEqual(['costly']);
    // Interfaces without an address are no networks.
    expect(await taken('down', 'costly')).toEqual(['costly']);
  });

  it('is the first one where none has a default route', async () => {
    expect(await taken()).toEqual(['free']);
    expect(await taken('down')).toEqual(['free']);
  });
});
