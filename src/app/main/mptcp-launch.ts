/**
 * Chromium does not open MPTCP sockets. Under libmptcpwrap (preloaded by `mptcpize run`) it does, its network
 * service included. A library can only be preloaded at start, so the app starts itself once more.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { END_SIGNALS } from '../../core';
import type { MptcpLaunch } from '../../ipc';
import { exitStatusOf, warn } from '../../runner/host';
import {
  kernelObstacle,
  mptcpObstacles,
  MPTCP_WRAPPER,
  type MptcpObstacle,
  type MptcpProbe,
} from '../../kernel';

/**
 * Set in the second start to the id of the first: it must not start a third, and must not outlive the first.
 */
export const LAUNCHER_PID_VARIABLE = 'MULTIPATH_DASH_LAUNCHER_PID';

export type LaunchPlan =
  | { action: 'stay'; launch: MptcpLaunch }
  /** Start again with this LD_PRELOAD (undefined: without). */
  | { action: 'relaunch'; ldPreload: string | undefined };

const offLaunch: MptcpLaunch = {
  state: 'off',
  reason: 'MPTCP is off (--no-mptcp): streams use one path only',
};
const launchOf = (state: MptcpObstacle): MptcpLaunch => ({ state, reason: mptcpObstacles[state] });
const failed: MptcpLaunch = {
  state: 'failed',
  reason: 'libmptcpwrap could not be preloaded: check that `mptcpize run true` works',
};
const preloaded: MptcpLaunch = { state: 'preloaded', reason: 'connections are opened as MPTCP' };

function withoutWrapper(ldPreload: string): string | undefined {
  const rest = ldPreload.split(/[ :]+/).filter((name) => name && !name.includes(MPTCP_WRAPPER));
  return rest.length > 0 ? rest.join(':') : undefined;
}

/**
 * Decides about a restart. The wrapper is removed if MPTCP cannot work: with net.mptcp.enabled=0 it makes
 * every connection fail instead of falling back.
 */
export function planLaunch(wanted: boolean, env: NodeJS.ProcessEnv, probe: MptcpProbe): LaunchPlan {
  const current = env['LD_PRELOAD'] ?? '';
  const wrapped = current.includes(MPTCP_WRAPPER);
  const startedAgain = env[LAUNCHER_PID_VARIABLE] !== undefined;
  const kernel = kernelObstacle(probe);
  const obstacle = wanted ? kernel && launchOf(kernel) : offLaunch;
  if (obstacle !== undefined) {
    if (!wrapped || startedAgain) return { action: 'stay', launch: obstacle };
    return { action: 'relaunch', ldPreload: withoutWrapper(current) };
  }
  if (wrapped) return { action: 'stay', launch: preloaded };
  const wrapper = probe.wrapper();
  if (wrapper === undefined) return { action: 'stay', launch: launchOf('no-mptcpize') };
  if (startedAgain) return { action: 'stay', launch: failed };
  return { action: 'relaunch', ldPreload: current === '' ? wrapper : `${wrapper}:${current}` };
}

export interface StartOptions {
  program: string;
  args: readonly string[];
  /** LD_PRELOAD of the started program; `undefined` for none. */
  ldPreload: string | undefined;
  /** Receives the exit code; after signal n it is 128 + n, as in a shell. */
  onExit: (code: number) => void;
  /** Time to install the signal handlers; Electron replaces them while it starts. Default: now. */
  ready?: Promise<unknown>;
}

/** Starts the app on this terminal, forwards signals to it and marks it as started by this process. */
export function startMarked(options: StartOptions): ChildProcess {
  const { program, args, ldPreload, onExit, ready = Promise.resolve() } = options;
  const env: NodeJS.ProcessEnv = { ...process.env, [LAUNCHER_PID_VARIABLE]: String(process.pid) };
  delete env['LD_PRELOAD'];
  if (ldPreload !== undefined) env['LD_PRELOAD'] = ldPreload;
  const child = spawn(program, args, { env, stdio: 'inherit' });
  void ready.then(() => {
    for (const signal of END_SIGNALS) process.on(signal, () => child.kill(signal));
  });
  child.once('error', (error) => {
    warn(`${program} could not be started: ${error.message}`);
    onExit(1);
  });
  child.once('exit', (code, signal) => {
    onExit(exitStatusOf(code, signal));
  });
  return child;
}

/** Calls back after the end of the parent process, which cannot forward SIGKILL. */
export function watchLauncher(env: NodeJS.ProcessEnv, onGone: () => void): void {
  const launcher = Number(env[LAUNCHER_PID_VARIABLE]);
  if (!Number.isInteger(launcher) || process.ppid !== launcher) return;
  const timer = setInterval(() => {
    if (process.ppid === launcher) return;
    clearInterval(timer);
    onGone();
  }, 1000);
}
