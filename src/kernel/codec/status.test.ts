import { describe, expect, it } from 'vitest';
import type { ConnectionSample, SubflowState } from '../../core';
import { transportStatus, type StatusFacts } from './status';

const eth = {
  index: 2,
  name: 'eth0',
  up: true,
  loopback: false,
  addresses: ['10.0.1.2', 'fe80::1'],
};
const lte = { index: 3, name: 'wwan0', up: true, loopback: false, addresses: ['10.0.2.2'] };
const lo = { index: 1, name: 'lo', up: true, loopback: true, addresses: ['127.0.0.1'] };

function connection(
  kind: ConnectionSample['kind'],
  paths: Record<string, SubflowState>,
): ConnectionSample {
  const remote = { address: '10.9.0.1', port: 80 };
  const local = { address: '10.0.1.2', port: 4 };
  return {
    connectionId: `${kind}:${Object.keys(paths).join()}`,
    kind,
    local,
    remote,
    inOrderBytes: 0,
    subflows: Object.entries(paths).map(([name, state]) => ({
      subflowId: name,
      pathId: name,
      interfaceName: name,
      local,
      remote,
      state,
      bytesReceived: 0,
    })),
  };
}

const facts = (over: Partial<StatusFacts>): StatusFacts => ({
  mptcpSupported: true,
  mptcpEnabled: true,
  mptcpSuspended: false,
  userspacePathManager: false,
  unobservable: undefined,
  watching: true,
  unresolvedHosts: [],
  connections: [],
  interfaces: [lo, eth, lte],
  ...over,
});

describe('transportStatus', () => {
  const both = connection('mptcp', { eth0: 'active', wwan0: 'active' });
  const one = connection('mptcp', { eth0: 'active', wwan0: 'connecting' });
  const alone = connection('mptcp', { eth0: 'active' });

  it.each<[string, Partial<StatusFacts>, string, RegExp]>([
    [
      'no MPTCP in the kernel',
      { mptcpSupported: false, mptcpEnabled: undefined },
      'disabled',
      /CONFIG_MPTCP/,
    ],
    [
      'switched off',
      { mptcpSupported: false, mptcpEnabled: false },
      'disabled',
      /sysctl -w net\.mptcp\.enabled=1/,
    ],
    [
      'switched off while a socket lives',
      { mptcpEnabled: false, connections: [both] },
      'disabled',
      /TCP/,
    ],
    [
      'statistics refused',
      { unobservable: 'needs root', connections: [] },
      'unobservable',
      /needs root/,
    ],
    ['nothing open', { watching: false }, 'idle', /No stream/],
    [
      'a wrong name',
      { unresolvedHosts: ['nowhere.example'] },
      'idle',
      /nowhere\.example does not resolve/,
    ],
    ['no connection', {}, 'idle', /No connection/],
    [
      'MPTCP suspended by the kernel',
      { mptcpSuspended: true, connections: [connection('tcp', {})] },
      'fallback',
      /sysctl -w net\.mptcp\.blackhole_timeout=3600/,
    ],
    [
      'MPTCP suspended, and back',
      { mptcpSuspended: true, connections: [both] },
      'multipath',
      /^2 paths/,
    ],
    ['two paths', { connections: [both] }, 'multipath', /^2 paths: eth0, wwan0\.$/],
    [
      'a backup counts',
      { connections: [connection('mptcp', { eth0: 'active', wwan0: 'backup' })] },
      'multipath',
      /wwan0 \(backup\)/,
    ],
    [
      'one joined',
      { connections: [one], interfaces: [lo, eth] },
      'single-subflow',
      /over eth0 only.*connect one/,
    ],
    [
      'one could join',
      { connections: [alone] },
      'single-subflow',
      /endpoint add 10\.0\.2\.2 dev wwan0 subflow/,
    ],
    [
      'one could join, but nobody opens it',
      { connections: [alone], userspacePathManager: true },
      'single-subflow',
      /wwan0 has not joined.*in user space.*mpd-pathctl/,
    ],
    [
      'fallback',
      { connections: [connection('fallback', { eth0: 'active' })] },
      'fallback',
      /mptcpize run nginx/,
    ],
    [
      'plain TCP',
      { connections: [connection('tcp', { eth0: 'active' })] },
      'plain-tcp',
      /mptcpize run/,
    ],
  ])('%s', (_name, over, state, reason) => {
    const status = transportStatus(facts(over));
    expect(status.state).toBe(state);
    expect(status.reason).toMatch(reason);
  });

  it('reports the worst of several connections, and uses the widest', () => {
    const tcp = connection('tcp', { eth0: 'active' });
    const status = transportStatus(facts({ connections: [tcp, alone, both] }));
    expect(status).toEqual({
      state: 'multipath',
      reason: '1 of 3 connections never asked for MPTCP; 2 paths: eth0, wwan0.',
    });
  });

  it('suggests no interface that is down, loopback or has only a link-local address', () => {
    const interfaces = [
      lo,
      eth,
      { ...lte, up: false },
      { ...lte, name: 'usb0', addresses: ['fe80::2', '169.254.3.4'] },
    ];
    expect(transportStatus(facts({ connections: [alone], interfaces })).reason).toMatch(
      /connect one/,
    );
  });
});
