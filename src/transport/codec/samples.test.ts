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

  it('ties subflows to their connection and leaves out what the kernel did not say', () => {
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

  it('is accepted by the schema of the feed', () => {
    const batch = toSampleBatch(rawSnapshot({ subflows: [rawSubflow(), second] }), sampleContext());
    expect(parseFeedDown(JSON.parse(JSON.stringify({ type: 'samples', batch })))).toMatchObject({
      ok: true,
    });
  });

  it('keeps within the bounds of that schema on a huge machine', () => {
    const many = Array.from({ length: limits.connections + 50 }, (_, index) =>
      rawConnection({ token: index + 1, cookie: String(index) }),
    );
    const subflows = Array.from({ length: limits.subflows + 9 }, (_, index) =>
      rawSubflow({ token: 1, cookie: String(index) }),
    );
    const batch = toSampleBatch(rawSnapshot({ connections: many, subflows }), sampleContext());
    expect(parseFeedDown({ type: 'samples', batch })).toMatchObject({ ok: true });
  });

  it('takes only what is wanted', () => {
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

  it('keeps a subflow to another address of the server with its wanted connection', () => {
    const joined = rawSubflow({ ...second, remote: { address: '10.9.0.2', port: 8080 } });
    const wanted = sampleContext({ wanted: ({ remote }) => remote.address === '10.9.0.1' });
    const batch = toSampleBatch(rawSnapshot({ subflows: [rawSubflow(), joined] }), wanted);
    expect(batch.connections[0]?.subflows.map((s) => s.pathId)).toEqual([
      'wlan0',
      'wwan0>10.9.0.2',
    ]);
  });

  it('shows a connection that fell back once, even when its socket lost the token', () => {
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

  it('shows plain TCP by its cookie, but neither listeners nor the long dead', () => {
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

  it('on a kernel that counts no in-order bytes, nothing is held', () => {
    const old = omit(rawConnection(), 'bytesReceived');
    const batch = toSampleBatch(
      rawSnapshot({ connections: [old], subflows: [rawSubflow(), second] }),
      sampleContext(),
    );
    expect(batch.connections[0]?.inOrderBytes).toBe(1400);
  });
});
