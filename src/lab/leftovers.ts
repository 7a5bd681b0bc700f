import { lstat, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printableLine } from '../core';
import { orphanedSandboxes, readProcess, readProcesses } from './leftover-processes';
import { GROUP_WRITABLE, WORLD_WRITABLE } from './trusted-file';

/** A leftover of a crash. */
export type Leftover =
  | { kind: 'process'; pid: number; name: string; startTicks: string }
  | { kind: 'folder'; path: string };

/** Prefixes of folders that hold nothing after their run. */
const FOLDER_PREFIX = 'multipath-dash-';
/** A younger folder may be about to be used. */
const MIN_AGE_MS = 60_000;

/** Arguments and open files of a process; empty if not readable. */
async function usesOf(pid: string): Promise<string[]> {
  const dir = `/proc/${pid}`;
  const [commandLine, cwd, files] = await Promise.all([
    readFile(`${dir}/cmdline`, 'utf8').catch(() => ''),
    readlink(`${dir}/cwd`).catch(() => ''),
    readdir(`${dir}/fd`).catch(() => [] as string[]),
  ]);
  const open = await Promise.all(files.map((fd) => readlink(`${dir}/fd/${fd}`).catch(() => '')));
  return [commandLine, cwd, ...open];
}

async function staleFolders(dir: string, nowMs: number): Promise<string[]> {
  const names = (await readdir(dir)).filter((name) => name.startsWith(FOLDER_PREFIX));
  const old: string[] = [];
  for (const path of names.map((name) => join(dir, name))) {
    // Nothing is followed: another user could exchange a link, or what a folder that he may write holds, while root
    // deletes. In a sticky folder nobody can move a folder of ours.
    const found = await lstat(path).catch(() => undefined);
    const isOurs =
      found?.isDirectory() === true &&
      found.uid === process.getuid?.() &&
      (found.mode & (GROUP_WRITABLE | WORLD_WRITABLE)) === 0;
    if (isOurs && nowMs - found.mtimeMs > MIN_AGE_MS) old.push(path);
  }
  if (old.length === 0) return [];
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry));
  const uses = (await Promise.all(pids.map(usesOf))).flat();
  return old.filter((path) => !uses.some((use) => use.includes(path)));
}

export interface LeftoverOptions {
  /** Parent of throw-away folders. Default: the system's temporary folder. */
  tempDir?: string;
  /** False: other processes may use a folder unseen, as in a container, so none is a leftover. Default: by the kernel. */
  seesAllProcesses?: boolean;
}

/** The first process namespace, by the number that Linux gives it (PROC_PID_INIT_INO). */
const FIRST_PID_NAMESPACE = 'pid:[4026531836]';

const seesAll = (): Promise<boolean> =>
  readlink('/proc/self/ns/pid').then(
    (name) => name === FIRST_PID_NAMESPACE,
    () => false,
  );

/**
 * Leftovers of crashed runs: sandboxes whose maker has ended, and unused throw-away folders. Only names of
 * this project are considered. Usually there are none: the kernel ends a sandbox with its maker.
 */
export async function findLeftovers(options: LeftoverOptions = {}): Promise<Leftover[]> {
  const isWhole = options.seesAllProcesses ?? (await seesAll());
  const [processes, folders] = await Promise.all([
    readProcesses(),
    isWhole ? staleFolders(options.tempDir ?? tmpdir(), Date.now()) : [],
  ]);
  return [
    ...orphanedSandboxes(processes, process.getuid?.() ?? -1).map(
      ({ pid, program, startTicks }) => ({
        kind: 'process' as const,
        pid,
        name: program,
        startTicks,
      }),
    ),
    ...folders.map((path) => ({ kind: 'folder' as const, path })),
  ];
}

/** One line of text. A process chooses its name itself. */
export function describeLeftover(leftover: Leftover): string {
  return printableLine(
    leftover.kind === 'folder'
      ? `folder ${leftover.path}`
      : `process ${leftover.pid} (${leftover.name}) and what it started`,
  );
}

/** Removes the result of {@link findLeftovers}; a process that has ended meanwhile is no error. */
export async function removeLeftovers(leftovers: readonly Leftover[]): Promise<void> {
  for (const leftover of leftovers) {
    if (leftover.kind === 'folder') {
      await rm(leftover.path, { recursive: true, force: true });
      continue;
    }
    // Its number may be another process's by now.
    if ((await readProcess(leftover.pid))?.startTicks !== leftover.startTicks) continue;
    try {
      process.kill(leftover.pid, 'SIGKILL');
    } catch (error) {
      const isGone = error instanceof Error && 'code' in error && error.code === 'ESRCH';
      if (!isGone) throw error;
    }
  }
}
