import { describe, expect, it, vi } from 'vitest';
import type { SampleBatch } from '../core';
import type { TunnelState } from '../kernel';
import type { EndpointInfo, PathControl } from '../ports';
import type { SharedPathControl } from './shared-path-control';
import { withStreamEndpoints } from './stream-endpoints';

const end = (address: string) => ({ address, port: 443 });
const batch = (bytesReceived: number, kind: 'mptcp' | 'tcp' = 'mptcp'): SampleBatch => ({
  monotonicMs: 1,
  lostSamples: 0,
  connections: [
    {
      connectionId: 'm:00000001',
      kind,
      local: end('10.0.1.2'),
      remote: end('203.0.113.9'),
      inOrderBytes: bytesReceived,
      subflows: [
        {
          subflowId: '1',
          pathId: 'wlan0',
          local: end('10.0.1.2'),
          remote: end('203.0.113.9'),
          state: 'active',
          bytesReceived,
        },
      ],
    },
  ],
});

/** A control whose kernel has the endpoints that were made, and a machine with two networks. */
function machine({ foreign = false } = {}) {
  const made = new Map<string, EndpointInfo>();
  const info = (pathId: string, state: EndpointInfo['state']): EndpointInfo => ({
    pathId,
    address: pathId,
    state,
    origin: foreign ? 'foreign' : 'own',
    changed: true,
  });
  if (foreign) made.set('wlan0', info('wlan0', 'active'));
  const setState = vi.fn<PathControl['setState']>((pathId, state) => {
    made.set(pathId, info(pathId, state));
    return Promise.resolve();
  });
  const restore = vi.fn(() => {
    made.clear();
    return Promise.resolve();
  });
  const control: PathControl = {
    capability: () => ({ available: true, through: 'helper' }),
    list: () => Promise.resolve([...made.values()]),
    setState,
    restore,
    onChange: () => () => undefined,
    close: () => Promise.resolve(),
  };
  const shared: SharedPathControl = {
    control,
    claim: () => true,
    release: () => Promise.resolve(),
    observe: () => undefined,
    close: () => Promise.resolve(),
  };
  const facts: { nowMs: number; tunnel: TunnelState; networks: string[] } = {
    nowMs: 0,
    tunnel: { state: 'none' },
    networks: ['wlan0', 'wwan0'],
  };
  const timers = new Set<() => void>();
  const findTunnel = vi.fn(() => Promise.resolve(facts.tunnel));
  const kept = withStreamEndpoints(shared, {
    nowMs: () => facts.nowMs,
    later: (_delayMs, work) => {
      timers.add(work);
      return () => timers.delete(work);
    },
    findTunnel,
    onResult: () => undefined,
    networks: () => facts.networks,
  });
  /** Lets time pass, and the timers of before end. */
  const pass = async (byMs: number): Promise<void> => {
    facts.nowMs += byMs;
    if (byMs >= 30_000) for (const work of [...timers]) if (timers.delete(work)) work();
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
  const owner = {};
  const observe = async (of: SampleBatch): Promise<void> => {
    kept.observe(owner, of);
    await pass(3000);
  };
  return { kept, owner, observe, pass, facts, setState, restore, control, findTunnel };
}

describe('the endpoints of a stream', () => {
  it('are made once it receives over MPTCP, and not before', async () => {
    const { observe, setState, findTunnel } = machine();
    await observe(batch(1, 'tcp'));
    await observe({ ...batch(1), connections: [] });
    expect(setState).not.toHaveBeenCalled();
    await observe(batch(1));
    await observe(batch(2));
    expect(setState.mock.calls).toEqual([
      ['wlan0', 'active'],
      ['wwan0', 'active'],
    ]);
    expect(findTunnel).toHaveBeenCalledWith(['203.0.113.9']);
  });

  it('are made again after a refusal, as before the first connection of a helper’s user', async () => {
    const { observe, setState } = machine();
    setState.mockRejectedValueOnce(new Error('no MPTCP connection of yours'));
    await observe(batch(1));
    await observe(batch(2));
    expect(setState.mock.calls.map(([name]) => name)).toEqual(['wlan0', 'wwan0', 'wlan0']);
  });

  it('include a network that comes later, and leave those that a policy changed', async () => {
    const { observe, setState, control, facts } = machine();
    await observe(batch(1));
    await control.setState('wwan0', 'closed');
    facts.networks = ['wlan0', 'wwan0', 'eth0'];
    setState.mockClear();
    await observe(batch(2));
    await observe(batch(3));
    expect(setState.mock.calls).toEqual([['eth0', 'active']]);
  });

  it('are taken back at the end of the stream, although the page never asked for a path', async () => {
    const { observe, kept, owner, restore } = machine();
    await observe(batch(1));
    await kept.release(owner);
    expect(restore).toHaveBeenCalledOnce();
    await kept.release(owner);
    expect(restore).toHaveBeenCalledOnce();
  });

  it.each([
    ['its connections end', { ...batch(1), connections: [] }],
    ['nothing is received any more', batch(1)],
  ])('are taken back when %s, and return as they were', async (_, idle) => {
    const { observe, pass, setState, restore, control } = machine();
    await observe(batch(1));
    await control.setState('wwan0', 'closed');
    await observe(idle);
    expect(restore).not.toHaveBeenCalled();
    await pass(60_000);
    await pass(60_000);
    expect(restore).toHaveBeenCalledOnce();
    setState.mockClear();
    await observe(batch(2));
    expect(setState.mock.calls).toEqual([
      ['wlan0', 'active'],
      ['wwan0', 'closed'],
    ]);
  });

  it.each<TunnelState>([
    { state: 'found', name: 'wg0' },
    { state: 'unknown', reason: 'the routes cannot be read' },
  ])('are neither made nor kept beside a tunnel: %j', async (tunnel) => {
    const { observe, facts, setState, restore } = machine();
    facts.tunnel = tunnel;
    await observe(batch(1));
    expect(setState).not.toHaveBeenCalled();
    facts.tunnel = { state: 'none' };
    await observe(batch(2));
    expect(setState).toHaveBeenCalledTimes(2);
    facts.tunnel = tunnel;
    await observe(batch(3));
    expect(restore).toHaveBeenCalledOnce();
  });

  it('are not made beside those of other programs', async () => {
    const { observe, kept, owner, setState, restore } = machine({ foreign: true });
    await observe(batch(1));
    await kept.release(owner);
    expect(setState).not.toHaveBeenCalled();
    expect(restore).not.toHaveBeenCalled();
  });
});
