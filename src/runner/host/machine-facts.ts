import { execFile } from 'node:child_process';
import { arch, cpus, release, totalmem } from 'node:os';
import { promisify } from 'node:util';
import { findBrowser } from './browser';

const execute = promisify(execFile);

/** First line of a program's version output. `unknown` if it prints none. */
async function firstLine(program: () => string, ...args: string[]): Promise<string> {
  try {
    const { stdout, stderr } = await execute(program(), args, { timeout: 20_000 });
    return (stdout.trim() || stderr.trim()).split('\n')[0] ?? 'unknown';
  } catch {
    return 'unknown';
  }
}

/** Version and machine that a run's figures depend on. */
export function machineFacts(version: string): Record<string, string | number> {
  const processors = cpus();
  return {
    program: version,
    kernel: release(),
    architecture: arch(),
    processor: processors[0]?.model.trim() ?? 'unknown',
    processors: processors.length,
    memoryBytes: totalmem(),
    node: process.version,
  };
}

/** Adds to {@link machineFacts} the browser and the server that a played session depends on. */
export async function playedMachineFacts(
  version: string,
): Promise<Record<string, string | number>> {
  const [browser, nginx] = await Promise.all([
    firstLine(findBrowser, '--version', '--no-sandbox'),
    firstLine(() => 'nginx', '-v'),
  ]);
  return { ...machineFacts(version), browser, nginx };
}
