import { describe, expect, it, vi } from 'vitest';
import type { CarriageReport } from '../../core';
import type { ProbeNative } from '../../fetch';
import type { TunnelState } from '../../kernel';
import { AutoCarriage } from './auto-carriage';
import { isOwnHost } from './own-host';

const ORIGIN = 'http://192.0.2.1:8080';
const notJoined = { origin: ORIGIN, reason: 'the server has no byte ranges' };

/** A session over two networks; its kernel opens no MPTCP sockets. */
function session(facts: {
  notJoined?: typeof notJoined;
  outReason?: string;
  costs?: boolean;
  tunnel?: TunnelState;
  learnRoute?: (url: URL) => Promise<void>;
  proxyFor?: (url: URL) => Promise<string | undefined>;
  locateHost?: typeof isOwnHost;
}) {
  const openSocket = vi.fn<ProbeNative['openSocket']>(() => {
    throw new Error('MPTCP is off');
  });
  const network = (networkId: string): CarriageReport['networks'][number] => ({
    networkId,
    health: 'untried',
    rateBps: 0,
    rttMs: 0,
    receivedBytes: 0,
    duplicateBytes: 0,
    blockedBytes: 0,
    unreadBytes: 0,
    requests: 0,
    failed: 0,
    cancelled: 0,
    ...(facts.outReason === undefined ? {} : { outReason: facts.outReason }),
  });
  const onChange = vi.fn();
  const time = { nowMs: 0 };
  const locateHost = vi.fn(facts.locateHost ?? isOwnHost);
  const waits: (() => void)[] = [];
  const after = (_: number, callback: () => void): (() => void) => {
    waits.push(callback);
    return () => void waits.splice(waits.indexOf(callback), 1);
  };
  const auto = new AutoCarriage({
    fetcher: {
      networks: ['a', 'b'].map((id) => ({ id, interfaceIndex: 1, addresses: [] })),
      notJoined: facts.notJoined,
      isSpent: () => false,
      report: () => ({
        carriage: 'ranges',
        reason: '',
        inOrderBytes: 0,
        networks: ['a', 'b'].map(network),
      }),
    },
    addon: { openSocket, fullInfo: vi.fn(), closeFd: vi.fn() },
    playerSpeaksMptcp: true,
    keepsBudgets: () => facts.costs !== true,
    tunnel: () => facts.tunnel ?? { state: 'none' },
    ...(facts.learnRoute && { learnRoute: facts.learnRoute }),
    proxyFor: facts.proxyFor,
    onChange,
    clock: { nowMs: () => time.nowMs, after },
    locateHost,
  });
  return { auto, openSocket, onChange, time, facts, waits, locateHost };
}

describe('the carriage of a session', () => {
  it('is ranges once the server is known, and MPTCP is not probed', async () => {
    const { auto, openSocket, onChange } = session({});
    expect(auto.chosen().state).toBe('own-host');
    await auto.locate(ORIGIN);
    expect(onChange).toHaveBeenCalledTimes(1);
    expect([auto.chosen().state, auto.chosen().state]).toEqual(['ranges', 'ranges']);
    expect(openSocket).not.toHaveBeenCalled();
  });

  it('leaves the stream to the system’s routes while a VPN is up', async () => {
    const { auto, facts } = session({});
    await auto.locate(ORIGIN);
    expect(auto.chosen().state).toBe('ranges');
    facts.tunnel = { state: 'found', name: 'ppp0' };
    expect(auto.chosen().state).toBe('tunnel');
    expect(auto.chosen().reason).toMatch(/ppp0.*--carriage ranges/);
    facts.tunnel = { state: 'unknown', reason: 'wg0 may be a tunnel' };
    expect(auto.chosen().state).toBe('tunnel');
    expect(auto.chosen().reason).toMatch(/may send.*wg0.*--carriage ranges/);
    delete facts.tunnel;
    expect(auto.chosen().state).toBe('ranges');
  });

  it('leaves the stream to the browser where the server is reached through a proxy', async () => {
    const proxyFor = vi.fn(() => Promise.resolve('proxy:3128'));
    const { auto, openSocket } = session({ notJoined, proxyFor });
    await auto.locate(ORIGIN);
    expect(auto.chosen().state).toBe('proxy');
    expect(auto.chosen().reason).toMatch(/proxy:3128.*--carriage ranges/);
    expect(proxyFor).toHaveBeenCalledWith(new URL(ORIGIN));
    expect(openSocket).not.toHaveBeenCalled();
    const failing = session({ proxyFor: () => Promise.reject(new Error('gone')) });
    await failing.auto.locate(ORIGIN);
    expect(failing.auto.chosen().state).toBe('ranges');
  });

  it('leaves the stream to the browser where only the media are reached through a proxy', async () => {
    const cdn = 'https://cdn.example';
    const proxyFor = vi.fn((url: URL) =>
      Promise.resolve(url.origin === cdn ? 'proxy:3128' : undefined),
    );
    const locateHost = (): Promise<boolean> => Promise.resolve(false);
    const { auto, onChange } = session({ proxyFor, locateHost });
    await auto.locate(ORIGIN);
    await auto.learnProxies([ORIGIN]);
    expect(auto.chosen().state).toBe('ranges');
    onChange.mockClear();
    await auto.learnProxies([ORIGIN, cdn, 'no address']);
    expect(auto.chosen().state).toBe('proxy');
    expect(onChange).toHaveBeenCalledTimes(1);
    await auto.learnProxies([ORIGIN, cdn]);
    expect(proxyFor).toHaveBeenCalledTimes(3);
    const own = session({ proxyFor: () => Promise.resolve('proxy:3128') });
    await own.auto.learnProxies(['http://127.0.0.1:8080']);
    expect(own.auto.chosen().state).not.toBe('proxy');
  });

  it('takes no network before it knows the route to the server', async () => {
    let known = (): void => undefined;
    const learning = new Promise<void>((resolve) => (known = resolve));
    const learnRoute = vi.fn(() => learning);
    const { auto } = session({ learnRoute });
    const located = auto.locate(ORIGIN);
    await vi.waitFor(() => expect(learnRoute).toHaveBeenCalledWith(new URL(ORIGIN)));
    expect(auto.chosen().state).toBe('own-host');
    known();
    await located;
    expect(auto.chosen().state).toBe('ranges');
  });

  it('keeps the carriage of another machine when a later origin is this machine', async () => {
    const { auto } = session({});
    await auto.locate('http://127.0.0.1:1');
    expect(auto.chosen().state).toBe('own-host');
    await auto.locate(ORIGIN);
    await auto.locate('http://127.0.0.1:1');
    expect(auto.chosen().state).toBe('ranges');
  });

  it('looks a name up again that did not resolve, until it does or the session ends', async () => {
    let isUp = false;
    const name = 'https://cdn.example';
    const { auto, onChange, waits, locateHost } = session({
      locateHost: () => Promise.resolve(isUp ? false : undefined),
    });
    await auto.locate(name);
    expect([auto.chosen().state, onChange.mock.calls.length]).toEqual(['own-host', 0]);
    waits.shift()?.();
    await vi.waitFor(() => expect(waits).toHaveLength(1));
    isUp = true;
    waits.shift()?.();
    await vi.waitFor(() => expect(auto.chosen().state).toBe('ranges'));
    expect([onChange.mock.calls.length, waits.length]).toEqual([1, 0]);
    expect(locateHost).toHaveBeenCalledTimes(3);
    const ended = session({ locateHost: () => Promise.resolve(undefined) });
    await ended.auto.locate(name);
    ended.auto.close();
    expect(ended.waits).toHaveLength(0);
  });

  it('probes MPTCP once where answers cannot be joined', async () => {
    const { auto, openSocket, onChange } = session({ notJoined });
    await auto.locate(ORIGIN);
    expect([auto.chosen().state, auto.chosen().state]).toEqual(['mptcp-probe', 'mptcp-probe']);
    await expect.poll(() => onChange.mock.calls.length).toBe(2);
    expect(auto.chosen().state).toBe('whole-objects');
    expect(openSocket).toHaveBeenCalledTimes(1);
  });

  it('does not probe MPTCP if it would ignore a budget', async () => {
    const { auto, openSocket } = session({ notJoined, costs: true });
    await auto.locate(ORIGIN);
    expect(auto.chosen().state).toBe('whole-objects');
    expect(openSocket).not.toHaveBeenCalled();
  });

  it('returns to the browser where no network reaches the server for a second, and tries again later', async () => {
    const { auto, time, facts } = session({ outReason: 'no route' });
    await auto.locate(ORIGIN);
    const at = (nowMs: number): string => {
      time.nowMs = nowMs;
      return auto.chosen().state;
    };
    expect([at(0), at(900), at(1000)]).toEqual(['ranges', 'ranges', 'unreached']);
    expect(auto.chosen().reason).toMatch(/no route/);
    delete facts.outReason;
    expect([at(60_000), at(61_000)]).toEqual(['unreached', 'ranges']);
    // In vain: the next pause is twice as long.
    facts.outReason = 'no route';
    expect([at(62_000), at(63_000)]).toEqual(['ranges', 'unreached']);
    delete facts.outReason;
    expect([at(182_000), at(183_000)]).toEqual(['unreached', 'ranges']);
  });

  it('keeps byte ranges where a network is out for a moment, or the server asks to wait', async () => {
    const { auto, time, facts } = session({ outReason: 'no route' });
    await auto.locate(ORIGIN);
    expect(auto.chosen().state).toBe('ranges');
    delete facts.outReason;
    time.nowMs = 500;
    expect(auto.chosen().state).toBe('ranges');
    facts.outReason = 'http://192.0.2.1:8080: the server asks to wait';
    for (time.nowMs = 1000; time.nowMs < 20_000; time.nowMs += 100)
      expect(auto.chosen().state).toBe('ranges');
  });
});
