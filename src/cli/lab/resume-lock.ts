import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { createServer } from 'node:net';
import { CliError } from '../cli-error';

/**
 * Takes a folder for this process alone; the kernel gives it back with the process, so that no lock is ever stale.
 * @returns what gives it back
 * @throws CliError when another run is at work there
 */
export async function lockFolder(folder: string): Promise<() => void> {
  const digest = createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 24);
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = new CliError(
        `another run is at work in ${folder}: wait for its end, or choose another folder with --out`,
      );
      reject(error.code === 'EADDRINUSE' ? taken : error);
    });
    // An abstract socket: it lies in no folder.
    server.listen(`\0multipath-dash-run-${digest}`, resolve);
  });
  server.unref();
  return () => void server.close();
}
