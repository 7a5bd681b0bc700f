import { LabError } from './errors';
import { tryCommand } from './run-command';

let cached: Promise<string> | undefined;

async function findPreload(): Promise<string> {
  const result = await tryCommand('mptcpize', ['run', 'printenv', 'LD_PRELOAD']);
  const library = result.stdout.trim();
  if (result.exitCode !== 0 || library === '') {
    throw new LabError(
      'TOOL_MISSING',
      `mptcpize does not work here: ${result.stderr.trim() || 'it sets no LD_PRELOAD'}`,
      'install it anew: sudo apt-get install --reinstall mptcpize',
    );
  }
  return library;
}

/**
 * The environment in which a program's TCP sockets become MPTCP sockets, equal to that of `mptcpize run`. The
 * library is looked up once.
 * @throws LabError TOOL_MISSING
 */
export async function mptcpizeEnv(): Promise<{ LD_PRELOAD: string }> {
  cached ??= findPreload();
  try {
    return { LD_PRELOAD: await cached };
  } catch (error) {
    cached = undefined;
    throw error;
  }
}
