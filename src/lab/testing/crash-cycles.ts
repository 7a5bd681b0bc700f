import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { findLeftovers } from '../leftovers';
import { type HostState, namespaces, readHostState } from './host-state';
import { fixtureArgv, processesWith } from './sandboxed';

/** The process to kill with SIGKILL, and the moment. */
export const CRASHES = [
  'outer',
  'unshare',
  'emulator',
  'outer-in-build',
  'emulator-in-build',
] as const;
export type Crash = (typeof CRASHES)[number];

export interface CycleReport {
  crash: Crash;
  /** Output of the program inside. */
  said: string[];
  /** Its own namespaces, and those that still exist afterwards. */
  namespaceCount: number;
  namespacesLeft: string[];
  processesLeft: number[];
  leftovers: string[];
  /** Differences on the host: `interfaces`, `mounts`, ... */
  changed: (keyof HostState)[];
}

const DEADLINE_MS = 30_000;

async function until(isDone: () => boolean | Promise<boolean>): Promise<boolean> {
  const deadlineMs = performance.now() + DEADLINE_MS;
  while (performance.now() < deadlineMs) {
    if (await isDone()) return true;
    await sleep(20);
  }
  return false;
}

async function programPid(assignment: string, program: string): Promise<number | undefined> {
  for (const pid of await processesWith(assignment)) {
    const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
    if (name.trim() === program) return pid;
  }
  return undefined;
}

/** Builds a dumbbell in a sandbox, kills a part of it, and compares the host with its state before. */
export async function crashCycle(crash: Crash, delayMs: number): Promise<CycleReport> {
  const tempDir = await mkdtemp(join(tmpdir(), 'crash-'));
  const value = `crash-${process.pid}-${performance.now()}`;
  const assignment = `MULTIPATH_DASH_TEST=${value}`;
  const before = await readHostState(tempDir);
  const common = await namespaces();
  const [command = '', ...args] = fixtureArgv('outer', { fixture: 'crash' });
  const outer = spawn(command, args, {
    env: { ...process.env, MULTIPATH_DASH_TEST: value, TMPDIR: tempDir },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const said: string[] = [];
  createInterface({ input: outer.stdout }).on('line', (line) => said.push(line));
  const closed = new Promise((resolve) => outer.once('close', resolve));
  const isInBuild = crash.endsWith('-in-build');
  await until(() => said.includes(isInBuild ? 'building' : 'ready') || outer.exitCode !== null);
  const own = await namespaces(assignment);
  if (isInBuild) await sleep(delayMs);
  const program = { unshare: 'unshare', outer: '', emulator: 'mpd-link' }[
    crash.replace('-in-build', '') as 'unshare' | 'outer' | 'emulator'
  ];
  let victim = program === '' ? outer.pid : await programPid(assignment, program);
  // During the build the emulator may not have started yet.
  if (
    victim === undefined &&
    (await until(async () => {
      victim = await programPid(assignment, program);
      return victim !== undefined;
    }))
  )
    said.push('waited for the emulator');
  if (victim !== undefined) process.kill(victim, 'SIGKILL');
  // The program inside ends in order if it notices that the emulator died.
  await Promise.race([closed, sleep(DEADLINE_MS, undefined, { ref: false })]);
  await until(async () => (await processesWith(assignment)).length === 0);
  const processesLeft = await processesWith(assignment);
  const made = [...own].filter((one) => !common.has(one));
  // The machine's process 1 must first reap the ended processes.
  let namespacesLeft = made;
  await until(async () => {
    const now = await namespaces();
    namespacesLeft = made.filter((one) => now.has(one));
    return namespacesLeft.length === 0;
  });
  const after = await readHostState(tempDir);
  const leftovers = (await findLeftovers({ tempDir })).filter(
    (one) => one.kind === 'folder' || processesLeft.includes(one.pid),
  );
  outer.kill('SIGKILL');
  await rm(tempDir, { recursive: true, force: true });
  return {
    crash,
    said,
    namespaceCount: made.length,
    namespacesLeft,
    processesLeft,
    leftovers: leftovers.map((one) => JSON.stringify(one)),
    changed: (Object.keys(before) as (keyof HostState)[]).filter(
      (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
    ),
  };
}

/** True if nothing is left. */
export function isClean(report: CycleReport): boolean {
  const left = [report.namespacesLeft, report.processesLeft, report.leftovers, report.changed];
  return left.every((list) => list.length === 0) && report.namespaceCount > 0;
}
