import os from 'node:os';
import type { SamplerStats, Snapshot } from '../../../native/index';
import { monotonicNowMs } from '../monotonic-clock';
import { socketsOf } from './process-sockets';
import type { Native, SnapshotSource } from './snapshot-source';

export interface ProcessSourceOptions {
  native: Pick<Native, 'dupFd' | 'fullInfo' | 'closeFd'>;
  /** Processes whose sockets are read; children of this process, or any with CAP_SYS_PTRACE. */
  pids: () => readonly number[];
  periodMs: number;
  onReadable: () => void;
}

interface CodedError {
  code?: unknown;
  errno?: unknown;
  message?: unknown;
}

const codeOf = (error: unknown): SamplerStats['lastError'] => {
  const { code, errno, message } = (error ?? {}) as CodedError;
  return {
    code: code === 'FD_DENIED' || code === 'NOT_MPTCP' ? code : 'NETLINK',
    errno: typeof errno === 'number' ? errno : 0,
    message: typeof message === 'string' ? message : 'unknown failure',
  };
};

/**
 * Snapshots through the sockets themselves, for kernels whose inet_diag hides subflows from this user: each
 * MPTCP socket of the given processes is duplicated for one snapshot (pidfd_getfd, MPTCP_FULL_INFO). It runs
 * on the JavaScript thread, so it is coarser than the sampler.
 */
export function createProcessSource(options: ProcessSourceOptions): SnapshotSource {
  const { native } = options;
  /** Inodes known not to be MPTCP sockets. */
  const others = new Set<number>();
  let ring: Snapshot[] = [];
  let timer: NodeJS.Timeout | undefined;
  let stats: SamplerStats = { taken: 0, read: 0, lost: 0, failed: 0, meanCpuUs: 0 };

  /** A duplicate of the process's descriptor; undefined if socket or process has ended. */
  const borrow = (pid: number, fd: number): number | undefined => {
    try {
      return native.dupFd(pid, fd);
    } catch (error) {
      const errno = codeOf(error)?.errno;
      if (errno === os.constants.errno.EBADF || errno === os.constants.errno.ESRCH) {
        return undefined;
      }
      throw error;
    }
  };

  /** One socket's snapshot, or undefined for a socket that has closed or is not MPTCP. */
  const look = (pid: number, fd: number, inode: number): Snapshot | undefined => {
    const own = borrow(pid, fd);
    if (own === undefined) return undefined;
    try {
      return native.fullInfo(own);
    } catch (error) {
      if (codeOf(error)?.code !== 'NOT_MPTCP') throw error;
      others.add(inode);
      return undefined;
    } finally {
      // A duplicated descriptor would keep the connection open after its owner closed it.
      native.closeFd(own);
    }
  };

  const collect = (): Snapshot => {
    const all: Snapshot = {
      monotonicUs: monotonicNowMs() * 1000,
      cpuUs: 0,
      connections: [],
      subflows: [],
    };
    const present = new Set<number>();
    for (const pid of options.pids()) {
      for (const [fd, inode] of socketsOf(pid)) {
        if (present.has(inode)) continue;
        present.add(inode);
        if (others.has(inode)) continue;
        const one = look(pid, fd, inode);
        all.connections.push(...(one?.connections ?? []).map((c) => ({ ...c, inode })));
        all.subflows.push(...(one?.subflows ?? []));
      }
    }
    // Inodes are reused after their socket is closed.
    for (const inode of others) if (!present.has(inode)) others.delete(inode);
    return all;
  };

  const tick = (): void => {
    try {
      ring.push(collect());
      stats = { ...stats, taken: stats.taken + 1 };
    } catch (error) {
      const lastError = codeOf(error);
      stats = { ...stats, failed: stats.failed + 1, ...(lastError ? { lastError } : {}) };
    }
    options.onReadable();
  };

  return {
    start() {
      timer ??= setInterval(tick, options.periodMs);
    },
    stop() {
      clearInterval(timer);
      timer = undefined;
    },
    setFilter() {
      // All sockets of the processes are read; the monitor filters them.
    },
    read() {
      const out = ring;
      ring = [];
      stats = { ...stats, read: stats.read + out.length };
      return out;
    },
    stats: () => stats,
  };
}
