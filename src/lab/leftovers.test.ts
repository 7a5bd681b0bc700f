import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, open, readdir, rm, symlink, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  orphanedSandboxes,
  type LeftoverProcess,
  readProcess,
  readProcesses,
} from './leftover-processes';
import { describeLeftover, findLeftovers, removeLeftovers } from './leftovers';

const one = (
  pid: number,
  parentPid: number,
  more: Partial<LeftoverProcess> = {},
): LeftoverProcess => ({
  pid,
  parentPid,
  program: 'sh',
  namespacePids: [pid],
  isMarked: true,
  uid: 1000,
  startTicks: '5',
  ...more,
});

describe('orphanedSandboxes', () => {
  const orphans = (all: LeftoverProcess[]): LeftoverProcess[] => orphanedSandboxes(all, 1000);
  const shell = one(10, 1, { isMarked: false });

  it('leaves a sandbox alone while its maker lives', () => {
    const outer = one(11, 10, { isMarked: false });
    const unshare = one(12, 11, { outerPid: 11 });
    const first = one(13, 12, { outerPid: 11, namespacePids: [13, 1] });
    const nested = one(14, 13, { outerPid: 2, namespacePids: [14, 2] });
    expect(orphans([shell, outer, unshare, first, nested])).toEqual([]);
  });

  it('finds the topmost process of a sandbox that init or a service manager has adopted', () => {
    const unshare = one(12, 1, { outerPid: 11 });
    const first = one(13, 12, { outerPid: 11, namespacePids: [13, 1] });
    expect(orphans([unshare, first])).toEqual([unshare]);
    expect(orphans([{ ...unshare, parentPid: 10 }, shell])).toHaveLength(1);
  });

  it('finds process 1 of a sandbox that has lost its supervisor', () => {
    const first = one(13, 1, { outerPid: 11, namespacePids: [13, 1] });
    expect(orphans([first])).toEqual([first]);
  });

  it("ignores another user's: anybody can set the variables that mark a sandbox", () => {
    expect(orphans([one(12, 1, { outerPid: 11, uid: 65534 })])).toEqual([]);
  });

  it('ignores processes in a container, and one that was the first process there', () => {
    const inContainer = one(12, 500, { outerPid: 7, namespacePids: [12, 8] });
    const sandboxThere = one(13, 12, { outerPid: 7, namespacePids: [13, 9, 1] });
    expect(orphans([inContainer, sandboxThere])).toEqual([]);
    expect(orphans([one(12, 1, { outerPid: 1 })])).toEqual([]);
  });
});

describe('leftovers', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'leftovers-test-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  it('removes old unused folders of our name, and nothing else', async () => {
    const make = async (name: string, isOld: boolean): Promise<string> => {
      const path = join(dir, name);
      await mkdir(path, { mode: 0o700 });
      if (isOld) await utimes(path, 1e9, 1e9);
      return path;
    };
    const stale = await make('multipath-dash-profile-a', true);
    await make('multipath-dash-profile-new', false);
    await make('somebody-elses', true);
    const unseen = await findLeftovers({ tempDir: dir, seesAllProcesses: false });
    expect(unseen.filter(({ kind }) => kind === 'folder')).toEqual([]);
    const used = await make('multipath-dash-profile-used', false);
    const file = await open(join(used, 'held'), 'w');
    await utimes(used, 1e9, 1e9);
    const folders = (await findLeftovers({ tempDir: dir, seesAllProcesses: true })).filter(
      ({ kind }) => kind === 'folder',
    );
    expect(folders.map(describeLeftover)).toEqual([`folder ${stale}`]);
    await removeLeftovers(folders);
    await removeLeftovers(folders);
    await file.close();
    expect((await readdir(dir)).sort()).toEqual([
      'multipath-dash-profile-new',
      'multipath-dash-profile-used',
      'somebody-elses',
    ]);
  });

  it('follows no link and deletes no folder that others may write, which they could exchange meanwhile', async () => {
    const old = async (path: string): Promise<void> => utimes(path, 1e9, 1e9);
    const elsewhere = join(dir, 'elsewhere');
    await mkdir(elsewhere, { mode: 0o700 });
    await old(elsewhere);
    await symlink(elsewhere, join(dir, 'multipath-dash-link'));
    const shared = join(dir, 'multipath-dash-shared');
    await mkdir(shared);
    await chmod(shared, 0o777);
    await old(shared);
    const found = await findLeftovers({ tempDir: dir, seesAllProcesses: true });
    expect(found.filter(({ kind }) => kind === 'folder')).toEqual([]);
  });

  it('describes a process in one line without terminal commands, whatever it calls itself', () => {
    const text = describeLeftover({
      kind: 'process',
      pid: 7,
      name: '\u001b[2J\nroot: all is well',
      startTicks: '5',
    });
    expect(text).toBe('process 7 (\ufffd[2J\ufffdroot: all is well) and what it started');
  });

  it('ends a process whose sandbox has lost its maker', async () => {
    // The shell ends at once; its child gets another parent than the one it names.
    const shell = spawn(
      'sh',
      ['-c', 'MULTIPATH_DASH_OUTER=$$ sleep 60 >/dev/null 2>&1 & echo $!'],
      {
        env: { PATH: process.env['PATH'], MULTIPATH_DASH_SANDBOX: '1' },
      },
    );
    let said = '';
    shell.stdout.on('data', (text: Buffer) => {
      said += text.toString();
    });
    await new Promise((resolve) => shell.on('close', resolve));
    const pid = Number(said);
    const mine = async (): Promise<unknown[]> =>
      (await findLeftovers({ tempDir: dir, seesAllProcesses: true })).filter(
        (leftover) => leftover.kind === 'process' && leftover.pid === pid,
      );
    const sleeper = { kind: 'process', pid, name: 'sleep' } as const;
    await expect
      .poll(mine, { timeout: 10_000 })
      .toEqual([{ ...sleeper, startTicks: expect.stringMatching(/^\d+$/) as string }]);
    const lives = async (): Promise<boolean> =>
      (await readProcesses()).some((each) => each.pid === pid && each.isMarked);
    // As if the number were another process's by now.
    await removeLeftovers([{ ...sleeper, startTicks: '1' }]);
    expect(await lives()).toBe(true);
    const { startTicks } = (await readProcess(pid)) ?? { startTicks: '' };
    await removeLeftovers([{ ...sleeper, startTicks }]);
    await expect.poll(lives, { timeout: 10_000 }).toBe(false);
    await removeLeftovers([{ ...sleeper, startTicks }]);
  });
});
