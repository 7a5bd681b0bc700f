import { describe, expect, it } from 'vitest';
import { limits, parseFeedDown } from '../../ipc';
import { pathIdOf, subflowStateOf, toSampleBatch } from './samples';
import { omit, rawConnection, rawSnapshot, rawSubflow, sampleContext } from './testing/raw';

describe('pathIdOf', () => {
  it('is the interface, else the address, and names another remote', () => {
    expect(pathIdOf('10.0.1.2', '10.9.0.1', '10.9.0.1', 'wlan0')).toBe('wlan0');
    expect(pathIdOf('10.0.1.2', '10.9.0.1', '10.9.0.1', undefined)).toBe('10.0.1.2');
    expect(pathIdOf('10.0.2.2', '10.9.0.2', '10.9.0.1', 'wwan0')).toBe('wwan0>10.9.0.2');
  });
});

describe('subflowStateOf', () => {
  it.each([
    [{ state: 1 }, 'active'],
    [{ state: 1, backupLocal: true }, 'backup'],
    [{ state: 1, backupRemote: true }, 'backup'],
    [{ state: 2 }, 'connecting'],
    [{ state: 3 }, 'connecting'],
    [{ state: 12 }, 'connecting'],
    [{ state: 4 }, 'closed'],
    [{ state: 7 }, 'closed'],
    [{ state: 8 }, 'closed'],
    [{ state: 99 }, 'closed'],
  ])('%j is %s', (raw, state) => {
    expect(subflowStateOf(raw)).toBe(state);
  });
});

describe('toSampleBatch', () => {
  const second = rawSubflow({
    local: { address: '10.0.2.2', port: 41000 },
    cookie: '102',
    tcp: { length: 280, state: 1, caState: 0, bytesReceived: 400 },
  });

  it('assigns subflows to their connection and leaves unreported fields out', () => {
    const batch = toSampleBatch(rawSnapshot({ subflows: [rawSubflow(), second] }), sampleContext());
    expect(batch).toMatchObject({ monotonicMs: 5000, lostSamples: 0 });
    expect(batch.connections).toHaveLength(1);
    const [connection] = batch.connections;
    expect(connection).toMatchObject({
      connectionId: 'm:00000abc',
      kind: 'mptcp',
      inOrderBytes: 900,
    });
    expect(connection?.subflows.map((s) => [s.pathId, s.bytesReceived, s.rcvRttUs])).toEqual([
      ['wlan0', 1000, 21000],
      ['wwan0', 400, undefined],
    ]);
  });

  it('keeps the own connections where there are more than a batch holds', () => {
    const own = rawConnection({ token: 0xabc, uid: 1000, inode: 77 });
    const others = Array.from({ length: limits.connections + 50 }, (_, at) =>
      rawConnection({ token: 0x1000 + at, uid: at < 3 ? 1000 : 2000, inode: 100 + at }),
    );
    const rankOf = ({ inode, uid }: { inode: number; uid: number }): number =>
      inode === 77 ? 0 : uid === 1000 ? 1 : 2;
    const { connections } = toSampleBatch(
      rawSnapshot({ connections: [...others, own], subflows: [] }),
      { ...sampleContext(), rankOf },
    );
    expect(connections).toHaveLength(limits.connections);
    expect(connections.slice(0, 4).map(({ connectionId }) => connectionId)).toEqual([
      'm:00000abc',
      'm:00001000',
      'm:00001001',
      'm:00001002',
    ]);
  });

  it('is accepted by the schema of the feed', () => {
    const batch = toSampleBatch(rawSnapshot({ subflows: [rawSubflow(), second] }), sampleContext());
    expect(parseFeedDown(JSON.parse(JSON.stringify({ type: 'samples', batch })))).toMatchObject({
      ok: true,
    });
  });

  it('stays within the bounds of that schema on a huge machine', () => {
    const many = Array.from({ length: limits.connections + 50 }, (_, index) =>
      rawConnection({ token: index + 1, cookie: String(index) }),
    );
    const subflows = Array.from({ length: limits.subflows + 9 }, (_, index) =>
      rawSubflow({ token: 1, cookie: String(index) }),
    );
    const batch = toSampleBatch(rawSnapshot({ connections: many, subflows }), sampleContext());
    expect(parseFeedDown({ type: 'samples', batch })).toMatchObject({ ok: true });
  });

  it('contains only watched connections', () => {
    const wanted = sampleContext({ wanted: ({ remote }) => remote.port === 443 });
    const other = rawSubflow({ token: 2, remote: { address: '10.9.0.1', port: 443 } });
    const batch = toSampleBatch(
      rawSnapshot({
        connections: [rawConnection(), rawConnection({ token: 2, remote: other.remote })],
        subflows: [rawSubflow(), other],
      }),
      wanted,
    );
    expect(batch.connections.map((c) => c.connectionId)).toEqual(['m:00000002']);
  });

  it('keeps a subflow to another address of the server with its watched connection', () => {
    const joined = rawSubflow({ ...second, remote: { address: '10.9.0.2', port: 8080 } });
    const wanted = sampleContext({ wanted: ({ remote }) => remote.address === '10.9.0.1' });
    const batch = toSampleBatch(rawSnapshot({ subflows: [rawSubflow(), joined] }), wanted);
    expect(batch.connections[0]?.subflows.map((s) => s.pathId)).toEqual([
      'wlan0',
      'wwan0>10.9.0.2',
    ]);
  });

  it('contains a fallback connection once, even if its socket lost the token', () => {
    const bare = omit(rawSubflow(), 'token');
    const batch = toSampleBatch(
      rawSnapshot({ connections: [rawConnection({ fallback: true })], subflows: [bare] }),
      sampleContext(),
    );
    expect(batch.connections).toHaveLength(1);
    expect(batch.connections[0]).toMatchObject({
      kind: 'fallback',
      subflows: [{ state: 'active' }],
    });
  });

  it('contains plain TCP by its cookie, but neither listeners nor closed sockets', () => {
    const bare = omit(rawSubflow(), 'token');
    const batch = toSampleBatch(
      rawSnapshot({
        connections: [],
        subflows: [bare, { ...bare, state: 10, cookie: '8' }, { ...bare, state: 6, cookie: '9' }],
      }),
      sampleContext(),
    );
    expect(batch.connections).toMatchObject([
      { connectionId: 't:101', kind: 'tcp', inOrderBytes: 1000 },
    ]);
  });

  it('has no out-of-order bytes on a kernel that counts no in-order bytes', () => {
    const old = omit(rawConnection(), 'bytesReceived');
    const batch = toSampleBatch(
      rawSnapshot({ connections: [old], subflows: [rawSubflow(), second] }),
      sampleContext(),
    );
    expect(batch.connections[0]?.inOrderBytes).toBe(1400);
  });
});
