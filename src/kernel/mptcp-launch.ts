/**
 * Decides if a player started now can use MPTCP. Chromium does not open MPTCP sockets itself; under
 * libmptcpwrap (preloaded by `mptcpize run`) it does, including its network service.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { programFolders } from './program-folders';

/** The library `mptcpize run` preloads. */
export const MPTCP_WRAPPER = 'libmptcpwrap.so';

/** The machine's features; an argument so that every case can be tested. */
export interface MptcpProbe {
  /** Content of /proc/sys/net/mptcp/enabled, undefined on a kernel without MPTCP. */
  enabled(): string | undefined;
  /** Path of the wrapper, undefined if mptcpize is missing or broken. */
  wrapper(): string | undefined;
}

export type MptcpObstacle = 'no-kernel' | 'disabled' | 'no-mptcpize';

/** Obstacles, each with its fix. */
export const mptcpObstacles: Record<MptcpObstacle, string> = {
  'no-kernel': 'this kernel has no MPTCP: boot one built with CONFIG_MPTCP (5.6 or newer)',
  disabled: 'net.mptcp.enabled is 0: run `sudo sysctl -w net.mptcp.enabled=1` and start again',
  'no-mptcpize': 'mptcpize is not installed: run `sudo apt install mptcpize` and start again',
};

/**
 * The kernel's obstacle; undefined if it supports MPTCP. With MPTCP disabled the wrapper would make every
 * socket fail.
 */
export function kernelObstacle(probe: MptcpProbe): 'no-kernel' | 'disabled' | undefined {
  const enabled = probe.enabled()?.trim();
  if (enabled === undefined) return 'no-kernel';
  return enabled === '1' ? undefined : 'disabled';
}

/** The library to preload into a player, or the reason for a single path. */
export function findMptcpWrapper(
  probe: MptcpProbe,
): { ok: true; library: string } | { ok: false; state: MptcpObstacle; reason: string } {
  const obstacle = kernelObstacle(probe);
  if (obstacle) return { ok: false, state: obstacle, reason: mptcpObstacles[obstacle] };
  const library = probe.wrapper();
  if (library !== undefined) return { ok: true, library };
  return { ok: false, state: 'no-mptcpize', reason: mptcpObstacles['no-mptcpize'] };
}

/** Features of this machine. */
export const systemMptcpProbe: MptcpProbe = {
  enabled() {
    try {
      return readFileSync('/proc/sys/net/mptcp/enabled', 'utf8');
    } catch {
      return undefined;
    }
  },
  wrapper() {
    // Not set in this process: setenv(3) beside Chromium's threads ended Electron with SIGSEGV.
    const env = { ...process.env, PATH: programFolders(process.env['PATH']) };
    Reflect.deleteProperty(env, 'LD_PRELOAD');
    const run = spawnSync('mptcpize', ['run', 'printenv', 'LD_PRELOAD'], {
      encoding: 'utf8',
      env,
      timeout: 5000,
    });
    const library = run.status === 0 ? run.stdout.trim() : '';
    return library.includes(MPTCP_WRAPPER) ? library : undefined;
  },
};
