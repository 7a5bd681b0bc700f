import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { beforeAll, it } from 'vitest';

const unshare = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];

/** A scenario takes 10 to 40 s, and three times as long where every processor is busy. */
const LIMIT_MS = 180_000;

/** The reason why no private network can be made here; undefined if it can. */
export function privateNetworkRefusal(): string | undefined {
  const tried = spawnSync('unshare', [...unshare, 'true'], { encoding: 'utf8' });
  if (tried.status === 0) return undefined;
  return `unshare: ${tried.stderr.trim() || String(tried.error ?? tried.status)} (run as root)`;
}

/** `it`, or a skip with its reason; on CI it runs and fails instead. */
export function privilegedIt(name: string, body: () => Promise<void>): void {
  const refusal = process.env['CI'] === 'true' ? undefined : privateNetworkRefusal();
  if (refusal === undefined) it(name, body, LIMIT_MS);
  else it.skip(`${name} [skipped: ${refusal}]`, body);
}

/**
 * Runs a script (path from the repository's root) in a private network and returns the JSON objects it
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

export interface Observations {
  /** Values by name, in the order printed. */
  all: (name: string) => readonly unknown[];
  /** The last value of a name. */
  get: (name: string) => unknown;
  /** A test of the observed values. */
  check: (name: string, body: () => void) => void;
}

/** Runs a scenario once before the tests of a file, in one private network for each of its parts. */
export function observe(
  script: string,
  timeoutMs: number,
  parts?: readonly string[],
): Observations {
  const seen = new Map<string, unknown[]>();
  beforeAll(async () => {
    if (process.env['CI'] !== 'true' && privateNetworkRefusal() !== undefined) return;
    for (const args of parts?.map((part) => [part]) ?? [[]]) {
      for (const line of await runPrivately(script, ...args)) {
        const { name, value } = line as { name: string; value: unknown };
        seen.set(name, [...(seen.get(name) ?? []), value]);
      }
    }
  }, timeoutMs);
  return {
    all: (name) => seen.get(name) ?? [],
    get: (name) => seen.get(name)?.at(-1),
    check: (name, body) =>
      privilegedIt(name, () => {
        body();
        return Promise.resolve();
      }),
  };
}
