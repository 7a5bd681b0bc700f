import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test as base } from '@playwright/test';
import type { CleanUpFixture } from '../faults/clean-up';
import { expectNothingLeft, stateOfMachine } from '../faults/left-behind';
import { markedProcesses } from '../support/own-processes';
import { startCommand, type RunningCommand, type StartOptions } from './command';

interface CommandFixtures extends CleanUpFixture {
  mark: string;
  /** Temporary folder of the tested commands alone: other programs of this machine write to the common one. */
  tmpDir: string;
  start: (args: readonly string[], options: StartOptions) => RunningCommand;
  run: (...args: string[]) => RunningCommand;
}

/** Commands that carry a test's mark, and end with it. */
export const test = base.extend<CommandFixtures>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the required fixtures from the pattern
  mark: async ({}, use) => {
    await use(randomUUID());
  },
  cleanUp: [
    async ({ mark }, use) => {
      const before = stateOfMachine();
      await use(undefined);
      await expect.poll(() => markedProcesses(mark), { timeout: 20_000 }).toEqual([]);
      await expectNothingLeft(before);
    },
    { auto: true },
  ],
  // eslint-disable-next-line no-empty-pattern -- as above
  tmpDir: async ({}, use) => {
    // Not below the test's own folder: the path of Chromium's socket has at most 107 characters.
    const folder = mkdtempSync(path.join(os.tmpdir(), 'mpd-cli-'));
    await use(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  },
  run: ({ start }, use) => use((...args) => start(args, {})),
  start: async ({ mark, tmpDir }, use) => {
    const started: RunningCommand[] = [];
    await use((args, options) => {
      const command = startCommand(mark, tmpDir, args, options);
      started.push(command);
      return command;
    });
    for (const command of started) command.child.kill('SIGKILL');
  },
});
