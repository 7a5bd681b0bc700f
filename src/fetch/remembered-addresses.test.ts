import { beforeEach, describe, expect, it } from 'vitest';
import { createFakeClock, type FakeClock } from '../ports/testing';
import type { Network } from './network';
import { RememberedAddresses } from './remembered-addresses';

const HOST = 'cdn.example';
const [OLD, NEW] = ['192.0.2.1', '192.0.2.2'];
const wlan: Network = { id: 'wlan', interfaceIndex: 1, addresses: ['10.1.0.2'] };
const lte: Network = { id: 'lte', interfaceIndex: 2, addresses: ['10.2.0.2'] };

let clock: FakeClock;
let names: RememberedAddresses;
/** The lookups under way. */
let asked: { networkId: string; answer: (...addresses: string[]) => void; fail: () => void }[];

beforeEach(() => {
  clock = createFakeClock();
  asked = [];
  names = new RememberedAddresses(
    (_, { id }) =>
      new Promise((resolve, reject) => {
        asked.push({
          networkId: id,
          answer: (...addresses) => resolve(addresses),
          fail: () => reject(new Error('SERVFAIL')),
        });
      }),
    clock,
  );
});

/** Lets promises settle that wait for nothing else. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

async function learn(network: Network, address: string): Promise<void> {
  const resolved = names.resolve(HOST, network);
  asked.pop()?.answer(address);
  await resolved;
}

/** The addresses, or the error, once this time has passed; undefined while it waits. */
async function after(ms: number, resolved: Promise<string[]>): Promise<unknown> {
  let outcome: unknown;
  resolved.then(
    (addresses) => (outcome = addresses),
    (error: unknown) => (outcome = String(error)),
  );
  await settle();
  clock.advance(ms);
  await settle();
  return outcome;
}

describe('a host that was resolved before', () => {
  it('has its addresses at once; after 10 s they are renewed meanwhile', async () => {
    await learn(lte, OLD);
    clock.advance(9999);
    expect(await after(0, names.resolve(HOST, lte))).toEqual([OLD]);
    expect(asked).toHaveLength(0);
    clock.advance(1);
    for (let times = 0; times < 3; times += 1)
      expect(await after(0, names.resolve(HOST, lte))).toEqual([OLD]);
    expect(asked.map(({ networkId }) => networkId)).toEqual(['lte']);
    asked[0]?.answer(NEW);
    await settle();
    expect(await after(0, names.resolve(HOST, lte))).toEqual([NEW]);
    expect(asked).toHaveLength(1);
  });

  it('keeps them while the resolver fails or is silent, and asks again', async () => {
    await learn(lte, OLD);
    clock.advance(10_000);
    expect(await after(0, names.resolve(HOST, lte))).toEqual([OLD]);
    asked[0]?.fail();
    await settle();
    expect(await after(0, names.resolve(HOST, lte))).toEqual([OLD]);
    expect(asked).toHaveLength(2);
    // The second lookup does not end.
    clock.advance(11_000);
    await settle();
    expect(await after(0, names.resolve(HOST, lte))).toEqual([OLD]);
    expect(asked).toHaveLength(3);
  });

  it('is looked up first where they were of no use, or are older than five minutes', async () => {
    await learn(lte, OLD);
    const anew = names.resolve(HOST, lte, true);
    asked.pop()?.answer(NEW);
    expect(await anew).toEqual([NEW]);
    expect(await after(1799, names.resolve(HOST, lte, true))).toBeUndefined();
    expect(await after(1, names.resolve(HOST, lte, true))).toEqual([NEW]);
    asked.pop()?.fail();
    await settle();
    clock.advance(300_000);
    const late = names.resolve(HOST, lte);
    asked.pop()?.answer(OLD);
    expect(await late).toEqual([OLD]);
  });
});

describe('a network without an answer of its own', () => {
  it('gets another network’s after 1.8 s, or once its own lookup fails', async () => {
    await learn(wlan, OLD);
    expect(await after(1799, names.resolve(HOST, lte))).toBeUndefined();
    expect(await after(1800, names.resolve(HOST, lte))).toEqual([OLD]);
    const failing = names.resolve(HOST, lte);
    asked[0]?.fail();
    expect(await failing).toEqual([OLD]);
  });

  it('prefers its own, also one that comes late', async () => {
    await learn(wlan, OLD);
    expect(await after(1800, names.resolve(HOST, lte))).toEqual([OLD]);
    asked[0]?.answer(NEW);
    await settle();
    expect(await after(0, names.resolve(HOST, lte))).toEqual([NEW]);
    expect(await after(0, names.resolve(HOST, wlan))).toEqual([OLD]);
  });

  it('is one that went and came back: it may be another one', async () => {
    await learn(wlan, OLD);
    names.forget('wlan');
    const resolved = names.resolve(HOST, wlan);
    asked[0]?.answer(NEW);
    expect(await resolved).toEqual([NEW]);
  });

  it('waits for 11 s where no network has one', async () => {
    const resolved = names.resolve(HOST, lte);
    expect(await after(10_999, resolved)).toBeUndefined();
    expect(await after(1, resolved)).toMatch(/did not answer within 11000 ms/);
    const failing = names.resolve('other.example', lte);
    asked.at(-1)?.fail();
    await expect(failing).rejects.toThrow('SERVFAIL');
  });
});

it('returns an IP address without a query', async () => {
  expect(await names.resolve('2001:db8::1', lte)).toEqual(['2001:db8::1']);
  expect(asked).toHaveLength(0);
});
