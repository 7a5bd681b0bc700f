import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { it } from 'vitest';

const unshare = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];

/** Why a private network cannot be made here; undefined when it can. */
export function privateNetworkRefusal(): string | undefined {
  const tried = spawnSync('unshare', [...unshare, 'true'], { encoding: 'utf8' });
  if (tried.status === 0) return undefined;
  return `unshare: ${tried.stderr.trim() || String(tried.error ?? tried.status)} (run as root)`;
}

/** `it`, or a skip that says why; where CI is set it runs, and fails, instead. */
export function privilegedIt(name: string, body: () => Promise<void>): void {
  const refusal = process.env['CI'] === 'true' ? undefined : privateNetworkRefusal();
  if (refusal === undefined) it(name, body, 60_000);
  else it.skip(`${name} [skipped: ${refusal}]`, body);
}

/**
 * Runs a script (path from the repository's root) in a private network and gives the JSON objects it
 * printed; nothing of it outlives the call.
 */
export async function runPrivately(script: string, ...args: string[]): Promise<object[]> {
  const file = path.join(import.meta.dirname, '../../..', script);
  const command = [process.execPath, '--import', 'tsx', file, ...args];
  const child = spawn('unshare', [...unshare, ...command], { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0)
    throw new Error(`${script} ended with ${String(code)}: ${errors}\n${out.slice(-3000)}`);
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as object);
}
