import { once } from 'node:events';
import net from 'node:net';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import { emptyLedger, observeBatch, type SampleBatch } from '../../core';
import type { SamplerOptions, SamplerStats, Snapshot, SnapshotFilter } from '../../../native/index';
import { omit, rawConnection, rawSnapshot, rawSubflow } from '../codec/testing/raw';
import { socketsOf } from './process-sockets';
import { SubflowMonitor, type SubflowMonitorOptions } from './subflow-monitor';

/** The addon, controlled by the test. */
class FakeAddon {
  ring: Snapshot[] = [];
  filters: SnapshotFilter[] = [];
  counts: SamplerStats = { taken: 0, read: 0, lost: 0, failed: 0, meanCpuUs: 0 };
  now: Snapshot = rawSnapshot();
  onReadable: () => void = () => undefined;

  readonly native = {
    Sampler: samplerOf(this),
    snapshot: () => this.now,
    dupFd: () => 0,
    fullInfo: () => this.now,
    closeFd: () => undefined,
  };

  /** Snapshots of the sampling thread since the last call. */
  sample(...snapshots: Snapshot[]): void {
    this.ring.push(...snapshots);
    this.onReadable();
  }
}

function samplerOf(addon: FakeAddon): SubflowMonitorOptions['native']['Sampler'] {
  return class {
    constructor(options: SamplerOptions = {}) {
      addon.onReadable = options.onReadable ?? (() => undefined);
    }
    start(): void {}
    stop(): void {}
    setFilter(filter: SnapshotFilter): void {
      addon.filters.push(filter);
    }
    read(): Snapshot[] {
      return addon.ring.splice(0);
    }
    stats(): SamplerStats {
      return addon.counts;
    }
  };
}

interface Rig {
  addon: FakeAddon;
  monitor: SubflowMonitor;
  batches: SampleBatch[];
  failures: (string | undefined)[];
}

function rig(over: Partial<SubflowMonitorOptions> = {}): Rig {
  const addon = new FakeAddon();
  const batches: SampleBatch[] = [];
  const failures: (string | undefined)[] = [];
  const monitor = new SubflowMonitor({
    native: addon.native,
    interfaceOf: () => 'wlan0',
    onBatch: (batch) => batches.push(batch),
    onFailure: (message) => failures.push(message),
    lookup: () => Promise.resolve(['10.9.0.1', '10.9.0.7']),
    ...over,
  });
  monitor.start();
  return { addon, monitor, batches, failures };
}

const at = (ms: number, over: Partial<Snapshot> = {}): Snapshot =>
  rawSnapshot({ monotonicUs: ms * 1000, ...over });
const MEDIA = 'http://media.example:8080';

describe('SubflowMonitor', () => {
  it('watches every address of the named origins, and nothing before', async () => {
    const { addon, monitor, batches } = rig();
    addon.sample(at(1));
    expect(batches[0]?.connections).toEqual([]);
    await monitor.watch([MEDIA]);
    expect(addon.filters.at(-1)?.remotes).toEqual([
      { address: '10.9.0.1', port: 8080 },
      { address: '10.9.0.7', port: 8080 },
    ]);
    addon.sample(at(2));
    expect(batches[1]?.connections).toHaveLength(1);
    await monitor.watch(['http://10.9.0.1:443']);
    addon.sample(at(3));
    expect(batches[2]?.connections).toEqual([]);
    monitor.stop();
  });

  it('samples plain TCP only while there is no MPTCP', async () => {
    const { addon, monitor } = rig();
    await monitor.watch([MEDIA]);
    expect(addon.filters.at(-1)?.includePlainTcp).toBe(true);
    const plain = omit(rawSubflow({ inode: 9 }), 'token');
    addon.sample(at(1, { connections: [], subflows: [plain] }));
    expect(addon.filters.at(-1)?.includePlainTcp).toBe(true);
    addon.sample(at(2));
    expect(addon.filters.at(-1)?.includePlainTcp).toBe(false);
    const settings = addon.filters.length;
    addon.sample(at(3), at(4));
    expect(addon.filters).toHaveLength(settings);
    addon.sample(at(5, { connections: [], subflows: [] }));
    expect(addon.filters.at(-1)?.includePlainTcp).toBe(true);
    monitor.stop();
  });

  it('never loses its own connection among those of others to the same server', async () => {
    const server = net.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    // A socket that this process really holds stands for the player's.
    const [inode] = [...socketsOf(process.pid).values()].slice(-1);
    const { addon, monitor, batches } = rig();
    await monitor.watch([MEDIA]);
    const others = Array.from({ length: 300 }, (_, n) =>
      rawConnection({ token: n + 1, inode: 4_000_000_000 + n, uid: 4242 }),
    );
    const own = rawConnection({ token: 0xabc, inode: inode ?? 0, uid: 4242 });
    addon.sample(at(1, { connections: [...others, own] }));
    expect(batches[0]?.connections).toHaveLength(256);
    expect(batches[0]?.connections[0]?.connectionId).toBe('m:00000abc');
    monitor.stop();
    server.close();
  });

  it('keeps the bytes of a subflow that went in order on a kernel that counts none', async () => {
    const { addon, monitor, batches } = rig();
    await monitor.watch([MEDIA]);
    const connections = [omit(rawConnection(), 'bytesReceived')];
    const both = [rawSubflow(), rawSubflow({ cookie: '102' })];
    addon.sample(
      at(1, { connections, subflows: both }),
      at(2, { connections, subflows: both.slice(1) }),
    );
    expect(batches.map((b) => b.connections[0]?.inOrderBytes)).toEqual([2000, 2000]);
    let ledger = emptyLedger;
    const outOfOrder = batches.map((one) => {
      const observed = observeBatch(ledger, one);
      ledger = observed.ledger;
      return observed.interval?.outOfOrderBytes;
    });
    expect(outOfOrder).toEqual([0, 0]);
    monitor.stop();
  });

  it('drops a connection that its application closed', async () => {
    const { addon, monitor, batches } = rig();
    await monitor.watch([MEDIA]);
    addon.sample(at(1), at(2, { connections: [rawConnection({ inode: 0 })] }));
    expect(batches.map((b) => b.connections.length)).toEqual([1, 0]);
    monitor.stop();
  });

  it('reports lost samples once, and no batch that is not newer', () => {
    const { addon, batches } = rig();
    addon.counts = { ...addon.counts, lost: 3 };
    addon.sample(at(1), at(2), at(2), at(1));
    addon.sample(at(3));
    expect(batches.map((b) => [b.monotonicMs, b.lostSamples])).toEqual([
      [1, 3],
      [2, 0],
      [3, 0],
    ]);
  });

  it('delivers an immediate snapshot after the thread’s, and resets the thread', async () => {
    const { addon, monitor, batches } = rig();
    await monitor.watch([MEDIA]);
    const settings = addon.filters.length;
    addon.ring.push(at(10));
    addon.now = at(12);
    monitor.lookNow();
    addon.sample(at(11), at(20));
    expect(batches.map((b) => b.monotonicMs)).toEqual([10, 12, 20]);
    expect(addon.filters.length).toBeGreaterThan(settings);
    monitor.stop();
  });

  it('reports a sampling failure once, and the recovery', () => {
    const { addon, failures } = rig();
    const lastError = { code: 'MPTCP_DIAG_MISSING' as const, errno: 2, message: 'modprobe it' };
    addon.counts = { ...addon.counts, failed: 1, lastError };
    addon.sample();
    addon.counts = { ...addon.counts, failed: 2 };
    addon.sample();
    addon.sample(at(1));
    expect(failures).toEqual(['modprobe it', undefined]);
  });

  it('keeps only the sockets of the given user or processes', async () => {
    const users = rig({ owner: { uid: 1000 } });
    await users.monitor.watch([MEDIA]);
    expect(users.addon.filters.at(-1)?.uids).toEqual([1000]);
    users.addon.sample(at(1, { connections: [rawConnection({ uid: 0 })], subflows: [] }), at(2));
    expect(users.batches.map((b) => b.connections.length)).toEqual([0, 1]);
    users.monitor.stop();

    // This process holds no socket with that inode.
    const processes = rig({ owner: { pids: () => [process.pid] } });
    await processes.monitor.watch([MEDIA]);
    processes.addon.sample(at(1, { connections: [rawConnection({ inode: 4_294_967_295 })] }));
    expect(processes.batches[0]?.connections).toEqual([]);
    processes.monitor.stop();
  });
});
