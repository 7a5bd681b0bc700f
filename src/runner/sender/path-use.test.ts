import { describe, expect, it } from 'vitest';
import { SenderPathUse } from './path-use';

type Snapshot = Parameters<SenderPathUse['look']>[0];
type RawSubflow = Snapshot['subflows'][number];

const SEGMENT_BYTES = 1250;
const RTT_US = 100_000;

/** A server with one connection over two networks of the client. */
class FakeServer {
  port = 8080;
  fallback = false;
  readonly backups = new Set<string>();
  readonly remoteBackups = new Set<string>();
  readonly handshakes = new Set<string>();
  #lookMs = 0;

  /** @param rates by the client's address of each subflow; a negative one acknowledges nothing */
  snapshot(rates: Record<string, number>): Snapshot {
    this.#lookMs += 100;
    const local = { address: '10.0.0.1', port: this.port };
    const subflows = Object.entries(rates).map(([address, rateBps]): RawSubflow => {
      const windowBytes = (Math.abs(rateBps) * RTT_US) / 8e6;
      return {
        local,
        remote: { address, port: 40_000 },
        state: 1,
        inode: 1,
        uid: 0,
        interfaceIndex: 0,
        cookie: `cookie of ${address}`,
        token: 7,
        localId: 0,
        remoteId: 1,
        backupLocal: this.backups.has(address),
        backupRemote: this.remoteBackups.has(address),
        fullyEstablished: !this.handshakes.has(address),
        tcp: {
          length: 0,
          state: 1,
          caState: 0,
          rttUs: RTT_US,
          sndMssBytes: SEGMENT_BYTES,
          sndCwndSegments: windowBytes / SEGMENT_BYTES,
          bytesAcked: rateBps > 0 ? this.#lookMs : 0,
        },
      };
    });
    const connection = { token: 7, local, remote: { address: '10.0.1.2', port: 40_000 } };
    const rest = { state: 1, inode: 1, uid: 0, cookie: '1', infoLength: 0 };
    return {
      monotonicUs: this.#lookMs * 1000,
      cpuUs: 0,
      connections: [{ ...connection, ...rest, fallback: this.fallback }],
      subflows,
    };
  }
}

const settings = { ports: [8080], samples: 5, rho: 0.6 };

/** @returns the changes of the last of `count` looks */
function looks(
  rule: SenderPathUse,
  server: FakeServer,
  rates: Record<string, number>,
  count: number,
): { address: string; backup: boolean }[] {
  let changes: ReturnType<SenderPathUse['look']> = [];
  for (let look = 0; look < count; look += 1) changes = rule.look(server.snapshot(rates));
  return changes.map(({ subflow, backup }) => ({ address: subflow.remote.address, backup }));
}

const unequal = { wifi: 8e6, lte: 2e6 };

describe('the path use decision at the sender', () => {
  it('makes a path a backup whose average is not above rho times the best, after n samples', () => {
    const rule = new SenderPathUse(settings);
    const server = new FakeServer();
    expect(looks(rule, server, unequal, 4)).toEqual([]);
    expect(looks(rule, server, unequal, 1)).toEqual([{ address: 'lte', backup: true }]);
    server.backups.add('lte');
    expect(looks(rule, server, unequal, 3)).toEqual([]);
  });

  it('keeps a path above that share', () => {
    const rule = new SenderPathUse(settings);
    expect(looks(rule, new FakeServer(), { wifi: 8e6, lte: 5e6 }, 20)).toEqual([]);
  });

  it('uses a path again when the best one falls below it', () => {
    const rule = new SenderPathUse(settings);
    const server = new FakeServer();
    looks(rule, server, unequal, 5);
    server.backups.add('lte');
    expect(looks(rule, server, { wifi: 2.5e6, lte: 2e6 }, 8)).toEqual([
      { address: 'lte', backup: false },
    ]);
  });

  it('counts no sample while nothing is acknowledged on the connection', () => {
    const rule = new SenderPathUse(settings);
    expect(looks(rule, new FakeServer(), { wifi: -8e6, lte: -2e6 }, 20)).toEqual([]);
  });

  it('samples a fast subflow also while only the slow one still sends', () => {
    const rule = new SenderPathUse(settings);
    expect(looks(rule, new FakeServer(), { wifi: -8e6, lte: 2e6 }, 5)).toEqual([
      { address: 'lte', backup: true },
    ]);
  });

  it('leaves other ports, plain TCP, handshakes and backups of the client alone', () => {
    const server = new FakeServer();
    server.port = 9090;
    expect(looks(new SenderPathUse(settings), server, unequal, 9)).toEqual([]);
    const plain = new FakeServer();
    plain.fallback = true;
    expect(looks(new SenderPathUse(settings), plain, unequal, 9)).toEqual([]);
    const young = new FakeServer();
    young.handshakes.add('lte');
    expect(looks(new SenderPathUse(settings), young, unequal, 9)).toEqual([]);
    const asked = new FakeServer();
    asked.remoteBackups.add('lte');
    expect(looks(new SenderPathUse(settings), asked, unequal, 9)).toEqual([]);
  });

  it('forgets connections that ended', () => {
    const rule = new SenderPathUse(settings);
    const server = new FakeServer();
    looks(rule, server, unequal, 4);
    rule.look({ monotonicUs: 1e6, cpuUs: 0, connections: [], subflows: [] });
    // The fifth sample of the same token is the first of a new connection.
    expect(looks(rule, server, unequal, 1)).toEqual([]);
  });

  it('refuses settings out of range', () => {
    expect(() => new SenderPathUse({ ...settings, rho: 2 })).toThrow(/rho must be a number/);
  });
});
