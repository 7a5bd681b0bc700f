import { execFile } from 'node:child_process';
import { arch, cpus, release, totalmem } from 'node:os';
import { promisify } from 'node:util';
import { findBrowser } from '../browser';

const execute = promisify(execFile);

/** First line of what a program says of itself; `unknown` where it does not. */
async function firstLine(program: () => string, ...args: string[]): Promise<string> {
  try {
    const { stdout, stderr } = await execute(program(), args, { timeout: 20_000 });
    return (stdout.trim() || stderr.trim()).split('\n')[0] ?? 'unknown';
  } catch {
    return 'unknown';
  }
}

/** What a reader of a run has to know of the machine it ran on. */
export async function machineFacts(version: string): Promise<Record<string, string | number>> {
  const [browser, nginx] = await Promise.all([
    firstLine(findBrowser, '--version', '--no-sandbox'),
    firstLine(() => 'nginx', '-v'),
  ]);
  const processors = cpus();
  return {
    program: version,
    kernel: release(),
    architecture: arch(),
    processor: processors[0]?.model.trim() ?? 'unknown',
    processors: processors.length,
    memoryBytes: totalmem(),
    node: process.version,
    browser,
    nginx,
  };
}
