import { describe, expect, it } from 'vitest';
import type { SampleBatch, SubflowState } from '../core';
import { UsedAddresses } from './shared-path-control';

const end = (address: string): { address: string; port: number } => ({ address, port: 1 });
let bytes = 0;
const batch = (connectionId: string, state: SubflowState): SampleBatch => ({
  monotonicMs: 1,
  lostSamples: 0,
  connections: [
    {
      connectionId,
      kind: connectionId.startsWith('m:') ? 'mptcp' : 'tcp',
      local: end('10.0.0.1'),
      remote: end('10.0.0.9'),
      inOrderBytes: 0,
      subflows: [
        {
          subflowId: '7',
          pathId: 'wlan0',
          local: end('10.0.0.1'),
          remote: end('10.0.0.9'),
          state,
          bytesReceived: (bytes += 1),
        },
      ],
    },
  ],
});

describe('the connections of the pages', () => {
  it('are known by their tokens, until their page has gone', () => {
    const used = new UsedAddresses();
    const [one, two] = [{}, {}];
    used.observe(one, batch('m:000003e8', 'active'));
    used.observe(two, batch('m:ffffffff', 'closed'));
    expect([...used.tokens()]).toEqual([1000, 0xffffffff]);
    used.observe(two, batch('t:12', 'active'));
    used.forget(one);
    expect(used.tokens().size).toBe(0);
  });

  it('report the best state of the subflows from an address', () => {
    const used = new UsedAddresses();
    const [one, two] = [{}, {}];
    expect(used.stateOf('10.0.0.1')).toBeUndefined();
    used.observe(one, batch('m:1', 'backup'));
    expect(used.stateOf('10.0.0.1')).toBe('backup');
    used.observe(two, batch('m:2', 'active'));
    expect(used.stateOf('10.0.0.1')).toBe('active');
    used.observe(two, batch('m:2', 'closed'));
    used.forget(one);
    expect(used.stateOf('10.0.0.1')).toBeUndefined();
  });

  it('report a changed subflow, not every byte', () => {
    const used = new UsedAddresses();
    const reported: boolean[] = [];
    used.onObserved((changed) => reported.push(changed));
    const page = {};
    for (const state of ['connecting', 'active', 'active', 'backup'] as const) {
      used.observe(page, batch('m:1', state));
    }
    expect(reported).toEqual([true, true, false, true]);
  });
});
