import { describe, expect, it, vi } from 'vitest';
import type { CarriageReport } from '../../core';
import type { ProbeNative } from '../../fetch';
import { AutoCarriage } from './auto-carriage';

const ORIGIN = 'http://192.0.2.1:8080';
const notJoined = { origin: ORIGIN, reason: 'the server has no byte ranges' };

/** A session over two networks; its kernel opens no MPTCP sockets. */
function session(facts: { notJoined?: typeof notJoined; outReason?: string; costs?: boolean }) {
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
    onChange,
  });
  return { auto, openSocket, onChange };
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

  it('keeps the carriage of another machine when a later origin is this machine', async () => {
    const { auto } = session({});
    await auto.locate('http://127.0.0.1:1');
    expect(auto.chosen().state).toBe('own-host');
    await auto.locate(ORIGIN);
    await auto.locate('http://127.0.0.1:1');
    expect(auto.chosen().state).toBe('ranges');
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

  it('returns to the browser where no network reaches the server', async () => {
    const { auto } = session({ outReason: 'no route' });
    await auto.locate(ORIGIN);
    expect(auto.chosen()).toMatchObject({
      state: 'unreached',
      reason: expect.stringMatching(/no route/) as string,
    });
  });
});
