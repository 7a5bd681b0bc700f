import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { LabError } from './errors';
import { runCommand, tryCommand } from './run-command';

const NETNS_DIR = '/run/netns';

/** A named network namespace; `undefined` for `file` is the current one. */
export interface Netns {
  name: string;
  /** The file that `nsenter --net=` and the link emulator take. */
  file: string;
}

/**
 * Creates several at once, in one process.
 * @throws LabError COMMAND_FAILED; then none of them remains
 */
export async function addNetnses(names: readonly string[]): Promise<Netns[]> {
  const netnses = names.map((name) => ({ name, file: `${NETNS_DIR}/${name}` }));
  try {
    await ipBatch(
      undefined,
      names.map((name) => `netns add ${name}`),
    );
  } catch (error) {
    await removeNetnses(netnses);
    throw error;
  }
  return netnses;
}

/** Also removes incomplete or already deleted ones. */
export async function removeNetnses(netnses: readonly Netns[]): Promise<void> {
  if (netnses.length === 0) return;
  await tryIpBatch(
    undefined,
    netnses.map(({ name }) => `netns delete ${name}`),
  );
  await Promise.all(netnses.map(({ file }) => rm(file, { force: true })));
}

/** The command line that runs `argv` in a namespace; unlike `ip netns exec` it does not remount /sys. */
export function inNetns(file: string | undefined, argv: readonly string[]): [string, string[]] {
  const [command = 'true', ...args] =
    file === undefined ? argv : ['nsenter', `--net=${file}`, '--', ...argv];
  return [command, args];
}

export async function runInNetns(
  file: string | undefined,
  argv: readonly string[],
  input = '',
): Promise<string> {
  const [command, args] = inNetns(file, argv);
  return runCommand(command, args, { input });
}

/** The address family that `ip` assumes for addresses and rules without one. */
export type IpFamily = 'ipv4' | 'ipv6';

function ipArgv(family: IpFamily, ...options: string[]): string[] {
  return ['ip', family === 'ipv6' ? '-6' : '-4', ...options, '-batch', '-'];
}

/** Runs many `ip` commands in one process; the error names the failed line. */
export async function ipBatch(
  file: string | undefined,
  lines: readonly string[],
  family: IpFamily = 'ipv4',
): Promise<void> {
  if (lines.length === 0) return;
  const [command, args] = inNetns(file, ipArgv(family));
  const result = await tryCommand(command, args, { input: `${lines.join('\n')}\n` });
  if (result.exitCode === 0) return;
  const lineNumber = Number(/Command failed -:(\d+)/.exec(result.stderr)?.[1] ?? 0);
  const line = lines[lineNumber - 1] ?? lines.join('; ');
  throw new LabError('COMMAND_FAILED', `ip ${line}: ${result.stderr.trim().split('\n')[0] ?? ''}`);
}

/**
 * Runs many `ip` commands in one process, and continues after a failure.
 * @returns true if all succeeded
 */
export async function tryIpBatch(
  file: string | undefined,
  lines: readonly string[],
  family: IpFamily = 'ipv4',
): Promise<boolean> {
  const [command, args] = inNetns(file, ipArgv(family, '-force'));
  const result = await tryCommand(command, args, { input: `${lines.join('\n')}\n` });
  return result.exitCode === 0;
}

function sysctlPath(name: string): string {
  return `/proc/sys/${name.replaceAll('.', '/')}`;
}

/**
 * Sets kernel parameters of a namespace.
 * @returns false if the kernel refuses one of them
 */
export async function trySysctls(
  file: string | undefined,
  values: readonly (readonly [name: string, value: string])[],
): Promise<boolean> {
  const script = 'while [ $# -gt 0 ]; do printf %s "$2" > "$1" || exit 1; shift 2; done';
  const words = values.flatMap(([name, value]) => [sysctlPath(name), value]);
  const [command, args] = inNetns(file, ['sh', '-c', script, 'sysctls', ...words]);
  return (await tryCommand(command, args)).exitCode === 0;
}

/** Like {@link trySysctls}, but throws on a refusal. */
export async function setSysctls(
  file: string | undefined,
  values: readonly (readonly [name: string, value: string])[],
): Promise<void> {
  if (await trySysctls(file, values)) return;
  const list = values.map(([name, value]) => `${name}=${value}`).join(' ');
  throw new LabError('COMMAND_FAILED', `the kernel refuses one of: ${list}`);
}

export async function readSysctl(file: string | undefined, name: string): Promise<string> {
  return (await runInNetns(file, ['cat', sysctlPath(name)])).trim();
}

/**
 * Waits until the kernel acts on a carrier change: routes and notifications follow up to a second later if
 * another change came shortly before. Gives up silently after two seconds.
 * @param file namespace of the interface
 */
export async function waitForCarrier(device: string, isUp: boolean, file?: string): Promise<void> {
  const deadlineMs = performance.now() + 2_000;
  while (performance.now() < deadlineMs) {
    const line = await runInNetns(file, ['ip', '-br', 'link', 'show', 'dev', device]);
    if (/\sDOWN\s/.test(line) !== isUp) return;
    await sleep(20);
  }
}
