import { readdir, readFile } from 'node:fs/promises';

/** What a sandbox writes into the environment of its processes. */
export const SANDBOX_MARK = 'MULTIPATH_DASH_SANDBOX';
/** The process that entered the sandbox, as it knows itself. */
export const OUTER_MARK = 'MULTIPATH_DASH_OUTER';

export interface ProcessInfo {
  pid: number;
  parentPid: number;
  /** As in /proc/PID/comm. */
  program: string;
  /** Its number in every process namespace it is in, ours first. */
  namespacePids: readonly number[];
  /** Runs in a sandbox of ours, or made one. */
  isMarked: boolean;
  outerPid?: number;
}

/** @returns undefined for a process that has ended meanwhile or is not ours to read */
async function readProcess(pid: number): Promise<ProcessInfo | undefined> {
  try {
    const dir = `/proc/${String(pid)}`;
    const [status, environment] = await Promise.all([
      readFile(`${dir}/status`, 'utf8'),
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
      isMarked: variables.includes(`${SANDBOX_MARK}=1`),
      ...(outer === undefined ? {} : { outerPid: Number(outer) }),
    };
  } catch {
    return undefined;
  }
}

export async function readProcesses(): Promise<ProcessInfo[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number);
  const all = await Promise.all(pids.map(readProcess));
  return all.filter((one) => one !== undefined);
}

/**
 * Sandboxes whose maker is gone, by their topmost process: ending it ends all below. That a process has another
 * parent than the one that entered the sandbox says so; in another container numbers mean nothing, and it is left
 * alone.
 */
export function orphanedSandboxes(processes: readonly ProcessInfo[]): ProcessInfo[] {
  const byPid = new Map(processes.map((one) => [one.pid, one]));
  return processes.filter((one) => {
    if (!one.isMarked || byPid.get(one.parentPid)?.isMarked === true) return false;
    const [, inner, deeper] = one.namespacePids;
    if (inner === undefined) return one.outerPid !== undefined && one.parentPid !== one.outerPid;
    // Process 1 of a sandbox has `unshare` above it as long as all is well.
    return inner === 1 && deeper === undefined;
  });
}
