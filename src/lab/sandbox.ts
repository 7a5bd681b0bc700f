import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { END_SIGNALS } from '../core';
import { LabError } from './errors';
import { exitStatusOf } from './exit-status';
import { OUTER_MARK, SANDBOX_MARK } from './leftover-processes';
import { missingTool, tryCommand } from './run-command';
import { SANDBOX_DIR, sandboxCommand } from './sandbox-command';
import { explainRefusal, type NamespaceSwitches } from './sandbox-refusal';

/** The inner end of a pipe that closes with the outer process. */
export const LIFELINE_FD = 3;
/** Time limit of the inner clean-up after the first signal. */
const DEFAULT_GRACE_MS = 10_000;

/** Signals this close together count as one: npm repeats a Ctrl-C that the terminal has already sent. */
const SAME_SIGNAL_MS = 500;

export interface EnterSandboxOptions {
  /** Program and arguments to run inside, e.g. `[process.execPath, ...process.execArgv, ...process.argv.slice(1)]`. */
  argv: readonly string[];
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Milliseconds between a forwarded signal and the kill of everything inside. */
  graceMs?: number;
  /** The program handles Ctrl-C itself, as a shell does: every SIGINT is forwarded, and none kills. Default: false. */
  isInteractive?: boolean;
  /** `inherit` (default) shares the terminal; `pipe` is for tests. */
  stdio?: 'inherit' | 'pipe';
  onStdout?: (text: string) => void;
  onStderr?: (text: string) => void;
}

async function readSwitch(path: string): Promise<number | undefined> {
  try {
    return Number(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}

async function readSwitches(): Promise<NamespaceSwitches> {
  const [maxUserNamespaces, unprivilegedUsernsClone, apparmorRestrictsUserns] = await Promise.all([
    readSwitch('/proc/sys/user/max_user_namespaces'),
    readSwitch('/proc/sys/kernel/unprivileged_userns_clone'),
    readSwitch('/proc/sys/kernel/apparmor_restrict_unprivileged_userns'),
  ]);
  return {
    isRoot: isRoot(),
    ...(maxUserNamespaces === undefined ? {} : { maxUserNamespaces }),
    ...(unprivilegedUsernsClone === undefined ? {} : { unprivilegedUsernsClone }),
    ...(apparmorRestrictsUserns === undefined ? {} : { apparmorRestrictsUserns }),
  };
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** True if this process runs inside one of our sandboxes. */
export function isInsideSandbox(): boolean {
  return process.env[SANDBOX_MARK] === '1' && existsSync(SANDBOX_DIR);
}

/**
 * Tries the sandbox with a program that does nothing (some 20 ms).
 * @returns undefined on success, else the reason with its fix
 */
export async function probeSandbox(): Promise<LabError | undefined> {
  const [command = '', ...args] = sandboxCommand({ argv: ['true'], cwd: '/', isRoot: isRoot() });
  try {
    const result = await tryCommand(command, args);
    if (result.exitCode === 0) return undefined;
    if (result.stderr.includes('failed to execute unshare')) return missingTool('unshare');
    return explainRefusal(result.stderr, await readSwitches());
  } catch (error) {
    if (error instanceof LabError) return error;
    throw error;
  }
}

/**
 * Runs a program in a sandbox: mount, process and network namespaces of its own, and a user namespace if we
 * are not root. The new network namespace is the client of the lab. Nothing outlives this process, however it
 * ends. SIGINT, SIGTERM and SIGHUP reach the inner process once through its {@link guardSandbox}; a second
 * one half a second later, or the end of the grace time, kills everything inside. SIGINT kills no interactive
 * program. After a signal before the start nothing runs.
 * @returns the program's exit code, or 128 + signal number
 * @throws LabError SANDBOX_REFUSED or TOOL_MISSING
 */
export async function enterSandbox(options: EnterSandboxOptions): Promise<number> {
  let early: NodeJS.Signals | undefined;
  let forward = (signal: NodeJS.Signals): void => {
    early ??= signal;
  };
  const listener = (signal: NodeJS.Signals): void => forward(signal);
  for (const signal of END_SIGNALS) process.on(signal, listener);
  try {
    const refusal = await probeSandbox();
    // Ctrl-C in a terminal ends the probe too.
    if (early !== undefined) return exitStatusOf(null, early);
    if (refusal !== undefined) throw refusal;
    return await runInside(options, (to) => {
      forward = to;
    });
  } finally {
    for (const signal of END_SIGNALS) process.off(signal, listener);
  }
}

/** @param onSignals gets the receiver of signals, at once */
async function runInside(
  options: EnterSandboxOptions,
  onSignals: (forward: (signal: NodeJS.Signals) => void) => void,
): Promise<number> {
  const cwd = options.cwd ?? process.cwd();
  const [command = '', ...args] = sandboxCommand({ argv: options.argv, cwd, isRoot: isRoot() });
  const stdio = options.stdio ?? 'inherit';
  const child = spawn(command, args, {
    env: {
      ...(options.env ?? process.env),
      [SANDBOX_MARK]: '1',
      [OUTER_MARK]: String(process.pid),
    },
    stdio: [stdio === 'pipe' ? 'ignore' : 'inherit', stdio, stdio, 'pipe'],
    // A session of its own: Ctrl-C reaches only us, and the inside ends in order.
    detached: true,
  });
  child.stdout?.setEncoding('utf8').on('data', (text: string) => options.onStdout?.(text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => options.onStderr?.(text));
  const lifeline = child.stdio[LIFELINE_FD] as NodeJS.WritableStream;
  lifeline.on('error', () => undefined);

  let killTimer: NodeJS.Timeout | undefined;
  let firstMs = 0;
  let interruptedMs = -Infinity;
  onSignals((signal) => {
    if (signal === 'SIGINT' && options.isInteractive === true) {
      const nowMs = performance.now();
      if (nowMs - interruptedMs > SAME_SIGNAL_MS) lifeline.write(`${signal}\n`);
      interruptedMs = nowMs;
      return;
    }
    if (killTimer !== undefined) {
      if (performance.now() - firstMs > SAME_SIGNAL_MS) child.kill('SIGKILL');
      return;
    }
    firstMs = performance.now();
    lifeline.write(`${signal}\n`);
    killTimer = setTimeout(() => child.kill('SIGKILL'), options.graceMs ?? DEFAULT_GRACE_MS);
  });
  try {
    return await new Promise<number>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => {
        resolve(exitStatusOf(code, signal));
      });
    });
  } finally {
    clearTimeout(killTimer);
  }
}
