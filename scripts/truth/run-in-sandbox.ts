import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * Runs a script of this folder in a sandbox of its own and reads the result that it prints.
 * @param subject of the measurement, for the error
 * @throws Error of the lab
 */
export async function runInSandbox(
  script: string,
  args: readonly string[],
  subject: string,
): Promise<unknown> {
  const program = [process.execPath, '--import', 'tsx', path.join(import.meta.dirname, script)];
  const child = spawn(
    process.execPath,
    [path.join(root, 'bin/multipath-dash.mjs'), 'sandbox', '--', ...program, ...args],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('close', resolve);
  });
  const [stdout, stderr, status] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    ended,
  ]);
  if (status !== 0) throw new Error(`${subject}: ${stderr.trim()}`);
  return JSON.parse(stdout);
}
