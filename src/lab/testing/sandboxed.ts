import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { checkTun } from '../findings';
import { enterSandbox, probeSandbox } from '../sandbox';

const FIXTURES_DIR = fileURLToPath(new URL('fixtures/', import.meta.url));

/** `npm test -- --profile nightly` runs variants of other tests too. */
export const isNightly = process.env['TEST_PROFILE'] === 'nightly';

/**
 * The reason why this machine cannot run the lab's tests; undefined if it can. On CI they run, and fail,
 * regardless.
 */
export async function reasonToSkip(): Promise<string | undefined> {
  if (process.env['CI'] === 'true') return undefined;
  const refusal = await probeSandbox();
  if (refusal !== undefined) return refusal.message;
  const tun = await checkTun();
  return tun.ok ? undefined : `${tun.message}; ${tun.fix ?? ''}`;
}

/** The command line of a fixture program. */
export function fixtureArgv(name: string, input: unknown = {}): string[] {
  return [process.execPath, '--import', 'tsx', `${FIXTURES_DIR}${name}.ts`, JSON.stringify(input)];
}

/**
 * Runs a fixture inside a sandbox.
 * @returns the JSON it printed
 */
export async function runFixture(name: string, input: unknown = {}): Promise<unknown> {
  let stdout = '';
  let stderr = '';
  const exitCode = await enterSandbox({
    argv: fixtureArgv(name, input),
    stdio: 'pipe',
    onStdout: (text) => {
      stdout += text;
    },
    onStderr: (text) => {
      stderr += text;
    },
  });
  if (exitCode !== 0) throw new Error(`${name} ended with ${exitCode}: ${stderr}`);
  return JSON.parse(stdout) as unknown;
}

/** Processes of the whole machine whose environment contains `NAME=value`. */
export async function processesWith(assignment: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      return environment.split('\0').includes(assignment) ? [pid] : [];
    }),
  );
  return found.flat();
}
