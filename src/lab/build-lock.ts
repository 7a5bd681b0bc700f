import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const RETRY_MS = 200;

function tryListen(name: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(name, () => resolve(server));
  });
}

/**
 * Runs `work` while no other process of this network namespace works under the same key; waits for its turn.
 * The lock is an abstract socket: the kernel frees it with the process, so none is ever stale.
 * @param onWait called once if another process holds the lock
 */
export async function withLock<T>(
  key: string,
  work: () => Promise<T>,
  onWait?: () => void,
): Promise<T> {
  const digest = createHash('sha256').update(key).digest('hex').slice(0, 24);
  const name = `\0multipath-dash-${digest}`;
  let server = await tryListen(name);
  if (server === undefined) onWait?.();
  while (server === undefined) {
    await sleep(RETRY_MS);
    server = await tryListen(name);
  }
  try {
    return await work();
  } finally {
    server.close();
  }
}
