import { readdir, readFile } from 'node:fs/promises';
import { procStatField } from '../core';

/** Environment variables that a sandbox sets for its processes. */
export const SANDBOX_MARK = 'MULTIPATH_DASH_SANDBOX';
/** The process that entered the sandbox, by the number in its own namespace. */
export const OUTER_MARK = 'MULTIPATH_DASH_OUTER';

export interface LeftoverProcess {
  pid: number;
  parentPid: number;
  /** Program name in /proc/PID/comm. */
  program: string;
  /** Its number in each of its process namespaces, ours first. */
  namespacePids: readonly number[];
  /** The process runs in one of our sandboxes, or made one. */
  isMarked: boolean;
  outerPid?: number;
  uid: number;
  /** Start time in clock ticks since boot. It identifies the process, because the kernel reuses process ids. */
  startTicks: string;
}

/** @returns undefined for a process that has ended or is not readable */
export async function readProcess(pid: number): Promise<LeftoverProcess | undefined> {
  try {
    const dir = `/proc/${pid}`;
    const [status, stat, environment] = await Promise.all([
      readFile(`${dir}/status`, 'utf8'),
      readFile(`${dir}/stat`, 'utf8'),
      readFile(`${dir}/environ`, 'utf8'),
    ]);
    const field = (name: string): string =>
      new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? '';
    const variables = environment.split('\0');
    const outer = variables.find((one) => one.startsWith(`${OUTER_MARK}=`))?.split('=')[1];
    return {
      pid,
      parentPid: Number(field('PPid')),
      program: field('Name'),
      namespacePids: field('NSpid').split(/\s+/).map(Number),
      uid: Number(field('Uid').split(/\s+/)[0]),
      startTicks: procStatField(stat, 22) ?? '',
      isMarked: variables.includes(`${SANDBOX_MARK}=1`),
      ...(outer === undefined ? {} : { outerPid: Number(outer) }),
    };
  } catch {
    return undefined;
  }
}

export async function readProcesses(): Promise<LeftoverProcess[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number);
  const all = await Promise.all(pids.map(readProcess));
  return all.filter((one) => one !== undefined);
}

/**
 * Sandboxes whose maker has ended, by their topmost process: killing it ends all below. A process is orphaned
 * if its parent is not the process that entered the sandbox. In another container process numbers are not
 * comparable, so such a process is left alone. So is another user's: anybody may set the environment variables that mark
 * a sandbox.
 * @param uid of the user whose sandboxes count
 */
export function orphanedSandboxes(
  processes: readonly LeftoverProcess[],
  uid: number,
): LeftoverProcess[] {
  const byPid = new Map(processes.map((one) => [one.pid, one]));
  return processes.filter((one) => {
    if (one.uid !== uid || !one.isMarked || byPid.get(one.parentPid)?.isMarked === true)
      return false;
    const [, inner, deeper] = one.namespacePids;
    if (inner === undefined) return one.outerPid !== undefined && one.parentPid !== one.outerPid;
    // Process 1 of a healthy sandbox has `unshare` as its parent.
    return inner === 1 && deeper === undefined;
  });
}
