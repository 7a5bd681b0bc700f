import net from 'node:net';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import { describe, expect, it } from 'vitest';
import { rawSnapshot } from '../codec/testing/raw';
import { createProcessSource } from './process-source';
import { socketOwners, socketsOf } from './process-sockets';

async function withSocket(body: () => Promise<void>): Promise<void> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  expect((server.address() as AddressInfo).port).toBeGreaterThan(0);
  try {
    await body();
  } finally {
    server.close();
  }
}

describe('process sockets', () => {
  it('finds the sockets of a process and the process of a socket', async () => {
    await withSocket(() => {
      const inodes = [...socketsOf(process.pid).values()];
      expect(inodes.length).toBeGreaterThan(0);
      const owners = socketOwners();
      expect(owners.get(inodes[0] ?? 0)?.pid).toBe(process.pid);
      return Promise.resolve();
    });
  });

  it('returns nothing for a process that has ended', () => {
    expect(socketsOf(2 ** 22 + 1).size).toBe(0);
  });
});

describe('createProcessSource', () => {
  it('borrows each socket for one snapshot and closes it, and probes other sockets only once', async () => {
    await withSocket(async () => {
      let borrowed = 0;
      let looks = 0;
      let strangers = 0;
      let mptcpFd: number | undefined;
      const [firstFd] = socketsOf(process.pid).keys();
      let readable: () => void = () => undefined;
      const twice = new Promise<void>((resolve) => {
        let count = 0;
        readable = () => {
          count += 1;
          if (count === 2) resolve();
        };
      });
      const source = createProcessSource({
        pids: () => [process.pid],
        periodMs: 10,
        onReadable: () => readable(),
        native: {
          dupFd(_pid, fd) {
            borrowed += 1;
            return fd;
          },
          closeFd() {
            borrowed -= 1;
          },
          fullInfo(fd) {
            if (fd === (mptcpFd ??= firstFd)) {
              looks += 1;
              return rawSnapshot();
            }
            strangers += 1;
            throw Object.assign(new Error('no'), { code: 'NOT_MPTCP' });
          },
        },
      });
      source.start();
      await twice;
      source.stop();
      const snapshots = source.read();
      expect(borrowed).toBe(0);
      expect(looks).toBe(snapshots.length);
      expect(strangers).toBeLessThanOrEqual(socketsOf(process.pid).size);
      expect(snapshots[0]?.connections[0]?.inode).toBe(socketsOf(process.pid).get(firstFd ?? -1));
      expect(source.read()).toEqual([]);
      expect(source.stats()).toMatchObject({ failed: 0, read: snapshots.length });
    });
  });

  it('reports a refusal as a failure with its reason', async () => {
    await withSocket(async () => {
      await new Promise<void>((resolve) => {
        const source = createProcessSource({
          pids: () => [process.pid],
          periodMs: 10,
          onReadable: () => {
            source.stop();
            expect(source.stats().lastError).toEqual({
              code: 'FD_DENIED',
              errno: 1,
              message: 'no',
            });
            resolve();
          },
          native: {
            dupFd() {
              throw Object.assign(new Error('no'), { code: 'FD_DENIED', errno: 1 });
            },
            closeFd: () => undefined,
            fullInfo: () => rawSnapshot(),
          },
        });
        source.start();
      });
    });
  });

  it('skips a socket that was closed meanwhile', async () => {
    await withSocket(async () => {
      await new Promise<void>((resolve) => {
        const source = createProcessSource({
          pids: () => [process.pid],
          periodMs: 10,
          onReadable: () => {
            source.stop();
            expect(source.stats()).toMatchObject({ taken: 1, failed: 0 });
            expect(source.read()[0]?.connections).toEqual([]);
            resolve();
          },
          native: {
            dupFd() {
              const { EBADF } = os.constants.errno;
              throw Object.assign(new Error('closed'), { code: 'FD_DENIED', errno: EBADF });
            },
            closeFd: () => undefined,
            fullInfo: () => rawSnapshot(),
          },
        });
        source.start();
      });
    });
  });
});
