import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { inNetns } from '../../lab';
import type { PathUseSpec } from '../../scenario';
import { packageRoot } from '../host/package-root';

export interface SenderProgramOptions extends PathUseSpec {
  port: number;
  /** Namespace of the server; undefined: this one. */
  netns: string | undefined;
  /** Gets a line of JSON for each change. */
  file: string;
  /** Called if the program ends by itself. */
  onFailure: (error: Error) => void;
}

/**
 * Starts `multipath-dash sender-decision` in the server's namespace.
 * @returns the function that ends it; the promise resolves once the program samples
 * @throws Error with the program's own text if it cannot start
 */
export async function startSenderProgram(
  options: SenderProgramOptions,
): Promise<() => Promise<void>> {
  const { samples, rho, periodMs, port, netns, file, onFailure } = options;
  const [command, args] = inNetns(netns, [
    ...[process.execPath, path.join(packageRoot(), 'bin/multipath-dash.mjs'), 'sender-decision'],
    ...['--port', String(port), '--n', String(samples), '--rho', String(rho)],
    ...['--period', `${periodMs}ms`, '--json'],
  ]);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.pipe(createWriteStream(file));
  let text = '';
  let isStopping = false;
  const ended = once(child, 'close');
  const ready = new Promise<void>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      text = (text + part).slice(-4_000);
      if (text.includes('deciding for')) resolve();
    });
  });
  const failed = (): Error => new Error(`sender-decision ended: ${text.trim()}`);
  await Promise.race([
    ready,
    ended.then(() => {
      throw failed();
    }),
  ]);
  void ended.then(() => {
    if (!isStopping) onFailure(failed());
  });
  return async () => {
    isStopping = true;
    child.kill('SIGINT');
    await ended;
  };
}
