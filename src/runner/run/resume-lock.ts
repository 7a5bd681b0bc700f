import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { createServer } from 'node:net';
import { UserError } from '../host/user-error';

/**
 * Locks a folder for this process. The kernel releases the lock with the process, so no lock is ever stale.
 * @returns the release
 * @throws UserError if another run works there
 */
export async function lockFolder(folder: string): Promise<() => void> {
  const digest = createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 24);
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = new UserError(
        `another run is at work in ${folder}: wait for its end, or choose another folder with --out`,
      );
      reject(error.code === 'EADDRINUSE' ? taken : error);
    });
    // An abstract socket: it needs no file.
    server.listen(`\0multipath-dash-run-${digest}`, resolve);
  });
  server.unref();
  return () => void server.close();
}
