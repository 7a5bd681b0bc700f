/**
 * Whether a player started now can speak MPTCP. Chromium does not open MPTCP sockets by itself; under
 * libmptcpwrap (what `mptcpize run` preloads) it does, its network service included.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The library `mptcpize run` preloads. */
export const mptcpWrapper = 'libmptcpwrap.so';

/** What this machine offers; an argument so that every case can be tested. */
export interface MptcpProbe {
  /** Content of /proc/sys/net/mptcp/enabled, undefined where the kernel has no MPTCP. */
  enabled(): string | undefined;
  /** Path of the wrapper, undefined where mptcpize is missing or does not work. */
  wrapper(): string | undefined;
}

export type MptcpObstacle = 'no-kernel' | 'disabled' | 'no-mptcpize';

/** What stands in the way, each with what mends it. */
export const mptcpObstacles: Record<MptcpObstacle, string> = {
  'no-kernel': 'this kernel has no MPTCP: boot one built with CONFIG_MPTCP (5.6 or newer)',
  disabled: 'net.mptcp.enabled is 0: run `sudo sysctl -w net.mptcp.enabled=1` and start again',
  'no-mptcpize': 'mptcpize is not installed: run `sudo apt install mptcpize` and start again',
};

/** The kernel's side: undefined where it speaks MPTCP. With it switched off the wrapper would make every socket fail. */
export function kernelObstacle(probe: MptcpProbe): 'no-kernel' | 'disabled' | undefined {
  const enabled = probe.enabled()?.trim();
  if (enabled === undefined) return 'no-kernel';
  return enabled === '1' ? undefined : 'disabled';
}

/** The library to preload into a player, or why it would play over one path. */
export function findMptcpWrapper(
  probe: MptcpProbe,
): { ok: true; library: string } | { ok: false; state: MptcpObstacle; reason: string } {
  const obstacle = kernelObstacle(probe);
  if (obstacle) return { ok: false, state: obstacle, reason: mptcpObstacles[obstacle] };
  const library = probe.wrapper();
  if (library !== undefined) return { ok: true, library };
  return { ok: false, state: 'no-mptcpize', reason: mptcpObstacles['no-mptcpize'] };
}

/** The machine as it is. */
export const systemMptcpProbe: MptcpProbe = {
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
    return library.includes(mptcpWrapper) ? library : undefined;
  },
};
