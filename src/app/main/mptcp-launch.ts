/**
 * Chromium does not open MPTCP sockets; under libmptcpwrap (what `mptcpize run` preloads) it does, its network
 * service included. A library can only be preloaded at start, so the app starts itself once more.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { MptcpLaunch } from '../../ipc';

/** Set in the second start to the id of the first: it must not start a third, and not outlive it. */
export const LAUNCHER_PID_VARIABLE = 'MULTIPATH_DASH_LAUNCHER_PID';

const wrapperLibrary = 'libmptcpwrap.so';

/** What this machine offers; an argument so that every case can be tested. */
export interface MptcpProbe {
  /** Content of /proc/sys/net/mptcp/enabled, undefined where the kernel has no MPTCP. */
  enabled(): string | undefined;
  /** Path of the library `mptcpize run` preloads, undefined without the tool. */
  wrapper(): string | undefined;
}

export type LaunchPlan =
  | { action: 'stay'; launch: MptcpLaunch }
  /** Start again with this LD_PRELOAD (undefined: without). */
  | { action: 'relaunch'; ldPreload: string | undefined };

const offLaunch: MptcpLaunch = {
  state: 'off',
  reason: 'MPTCP is off (--no-mptcp): streams use one path only',
};
const noKernel: MptcpLaunch = {
  state: 'no-kernel',
  reason: 'this kernel has no MPTCP: boot one built with CONFIG_MPTCP (5.6 or newer)',
};
const disabled: MptcpLaunch = {
  state: 'disabled',
  reason: 'net.mptcp.enabled is 0: run `sudo sysctl -w net.mptcp.enabled=1` and start again',
};
const noMptcpize: MptcpLaunch = {
  state: 'no-mptcpize',
  reason: 'mptcpize is not installed: run `sudo apt install mptcpize` and start again',
};
const failed: MptcpLaunch = {
  state: 'failed',
  reason: 'libmptcpwrap could not be preloaded: check that `mptcpize run true` works',
};
const preloaded: MptcpLaunch = { state: 'preloaded', reason: 'connections are opened as MPTCP' };

function withoutWrapper(ldPreload: string): string | undefined {
  const rest = ldPreload.split(/[ :]+/).filter((name) => name && !name.includes(wrapperLibrary));
  return rest.length > 0 ? rest.join(':') : undefined;
}

/**
 * Decides whether to start again. The wrapper is taken away where MPTCP cannot work: with
 * net.mptcp.enabled=0 it makes every connection fail instead of falling back.
 */
export function planLaunch(wanted: boolean, env: NodeJS.ProcessEnv, probe: MptcpProbe): LaunchPlan {
  const current = env['LD_PRELOAD'] ?? '';
  const wrapped = current.includes(wrapperLibrary);
  const startedAgain = env[LAUNCHER_PID_VARIABLE] !== undefined;
  const enabled = probe.enabled()?.trim();
  const obstacle = !wanted
    ? offLaunch
    : enabled === undefined
      ? noKernel
      : enabled !== '1'
        ? disabled
        : undefined;
  if (obstacle !== undefined) {
    if (!wrapped || startedAgain) return { action: 'stay', launch: obstacle };
    return { action: 'relaunch', ldPreload: withoutWrapper(current) };
  }
  if (wrapped) return { action: 'stay', launch: preloaded };
  const wrapper = probe.wrapper();
  if (wrapper === undefined) return { action: 'stay', launch: noMptcpize };
  if (startedAgain) return { action: 'stay', launch: failed };
  return { action: 'relaunch', ldPreload: current === '' ? wrapper : `${wrapper}:${current}` };
}

/** The machine as it is. */
export const systemProbe: MptcpProbe = {
  enabled() {
    try {
      return readFileSync('/proc/sys/net/mptcp/enabled', 'utf8');
    } catch {
      return undefined;
    }
  },
  wrapper() {
    const env = { ...process.env };
    delete env['LD_PRELOAD'];
    const run = spawnSync('mptcpize', ['run', 'printenv', 'LD_PRELOAD'], {
      encoding: 'utf8',
      env,
      timeout: 5000,
    });
    const library = run.status === 0 ? run.stdout.trim() : '';
    return library.includes(wrapperLibrary) ? library : undefined;
  },
};

const forwarded = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const signalNumbers: Partial<Record<NodeJS.Signals, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGKILL: 9,
  SIGTERM: 15,
};

export interface StartOptions {
  program: string;
  args: readonly string[];
  /** LD_PRELOAD of the started program; `undefined` for none. */
  ldPreload: string | undefined;
  /** Gets the exit code, 128 + n after signal n as a shell would report it. */
  onExit: (code: number) => void;
  /** When signals are this program's to handle; Electron takes them over while it starts. Default: now. */
  ready?: Promise<unknown>;
}

/** Starts the app on this terminal, passes signals on to it and marks it as started by this process. */
export function startMarked(options: StartOptions): ChildProcess {
  const { program, args, ldPreload, onExit, ready = Promise.resolve() } = options;
  const env: NodeJS.ProcessEnv = { ...process.env, [LAUNCHER_PID_VARIABLE]: String(process.pid) };
  delete env['LD_PRELOAD'];
  if (ldPreload !== undefined) env['LD_PRELOAD'] = ldPreload;
  const child = spawn(program, args, { env, stdio: 'inherit' });
  void ready.then(() => {
    for (const signal of forwarded) process.on(signal, () => child.kill(signal));
  });
  child.once('error', (error) => {
    process.stderr.write(`multipath-dash: ${program} could not be started: ${error.message}\n`);
    onExit(1);
  });
  child.once('exit', (code, signal) => {
    onExit(code ?? 128 + (signal === null ? 0 : (signalNumbers[signal] ?? 0)));
  });
  return child;
}

/** Calls back once the process that started this one is gone, for it cannot pass on being killed. */
export function watchLauncher(env: NodeJS.ProcessEnv, onGone: () => void): void {
  const launcher = Number(env[LAUNCHER_PID_VARIABLE]);
  if (!Number.isInteger(launcher) || process.ppid !== launcher) return;
  const timer = setInterval(() => {
    if (process.ppid === launcher) return;
    clearInterval(timer);
    onGone();
  }, 1000);
}
