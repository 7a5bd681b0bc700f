import type { RawConnection, RawSubflow, Snapshot } from '../../../../native/index';
import type { SampleContext } from '../samples';

export function rawSubflow(over: Partial<RawSubflow> = {}): RawSubflow {
  return {
    local: { address: '10.0.1.2', port: 40001 },
    remote: { address: '10.9.0.1', port: 8080 },
    state: 1,
    inode: 0,
    uid: 0,
    interfaceIndex: 0,
    cookie: '101',
    token: 0xabc,
    tcp: { length: 280, state: 1, caState: 0, bytesReceived: 1000, rcvRttUs: 21000 },
    ...over,
  };
}

export function rawConnection(over: Partial<RawConnection> = {}): RawConnection {
  return {
    token: 0xabc,
    local: { address: '10.0.1.2', port: 40001 },
    remote: { address: '10.9.0.1', port: 8080 },
    state: 1,
    inode: 555,
    uid: 1000,
    cookie: '7',
    infoLength: 104,
    bytesReceived: 900,
    fallback: false,
    ...over,
  };
}

export function rawSnapshot(over: Partial<Snapshot> = {}): Snapshot {
  return {
    monotonicUs: 5_000_000,
    cpuUs: 20,
    connections: [rawConnection()],
    subflows: [rawSubflow()],
    ...over,
  };
}

/** Watches everything; wlan0 has 10.0.1.2, wwan0 has 10.0.2.2. */
export function sampleContext(over: Partial<SampleContext> = {}): SampleContext {
  const owners: Record<string, string> = { '10.0.1.2': 'wlan0', '10.0.2.2': 'wwan0' };
  return {
    interfaceOf: (address) => owners[address],
    wanted: () => true,
    lostSamples: 0,
    ...over,
  };
}

/** The object without one of its fields, as from a kernel that does not report it. */
export function omit<T extends object, K extends keyof T>(value: T, key: K): Omit<T, K> {
  const copy = { ...value };
  Reflect.deleteProperty(copy, key);
  return copy;
}
