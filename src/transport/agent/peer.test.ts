import { describe, expect, it } from 'vitest';
import { ownerInTable, shareReads } from './peer';

const peer = { address: '127.0.0.1', port: 0xa1b2 };
const agent = { address: '127.0.0.1', port: 0x1f90 };

/** The format of Linux 6.18. */
const HEAD =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
const line = (from: string, to: string, uid: number, inode: number): string =>
  `   7: ${from} ${to} 01 00000000:00000000 00:00000000 00000000  ${uid}        0 ${inode} 1 0000000094facbf1 20 4 30 10 -1\n`;

const toAgent = line('0100007F:A1B2', '0100007F:1F90', 1000, 4711);
const fromAgent = line('0100007F:1F90', '0100007F:A1B2', 33, 4712);
const MAPPED = '0000000000000000FFFF00000100007F';

describe('ownerInTable', () => {
  it("returns the owner of the peer's end, not of this process's own", () => {
    expect(ownerInTable(`${HEAD}${fromAgent}${toAgent}`, peer, agent)).toBe(1000);
    expect(ownerInTable(`${HEAD}${fromAgent}`, peer, agent)).toBeUndefined();
  });

  it('finds a peer that connects from an IPv6 socket', () => {
    const other = line(`${MAPPED}:A1B2`, `${MAPPED}:1F90`, 1001, 9);
    expect(ownerInTable(`${HEAD}${other}`, peer, agent)).toBe(1001);
  });

  it('returns no owner for a closed socket, which the kernel shows as uid 0', () => {
    const closed = line('0100007F:A1B2', '0100007F:1F90', 0, 0);
    expect(ownerInTable(`${HEAD}${closed}`, peer, agent)).toBeUndefined();
  });

  it.each(['', HEAD, `${HEAD}   7: 0100007F:A1B2 0100007F:1F90 `])(
    'finds no owner in a table without it (%j)',
    (table) => {
      expect(ownerInTable(table, peer, agent)).toBeUndefined();
    },
  );
});

describe('shareReads', () => {
  it('callers during a read share the next read, which begins after their calls', async () => {
    const ends: ((text: string) => void)[] = [];
    const ask = shareReads(() => new Promise((resolve) => ends.push(resolve)));
    const first = ask();
    await expect.poll(() => ends.length).toBe(1);
    const others = [ask(), ask(), ask()];
    ends[0]?.('one');
    expect(await first).toBe('one');
    await expect.poll(() => ends.length).toBe(2);
    ends[1]?.('two');
    expect(await Promise.all(others)).toEqual(['two', 'two', 'two']);
  });

  it('reads again after a failure', async () => {
    let reads = 0;
    const ask = shareReads(() =>
      (reads += 1) === 1 ? Promise.reject(new Error('EMFILE')) : Promise.resolve('text'),
    );
    await expect(ask()).rejects.toThrow('EMFILE');
    expect(await ask()).toBe('text');
  });
});
