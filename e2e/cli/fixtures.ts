import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test as base } from '@playwright/test';
import { startCommand, type RunningCommand } from './command';

interface CommandFixtures {
  mark: string;
  /** Of the commands alone: other programs of this machine write to the common one. */
  tmpDir: string;
  run: (...args: string[]) => RunningCommand;
}

/** Commands that carry a test's mark, and end with it. */
export const test = base.extend<CommandFixtures>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the required fixtures from the pattern
  mark: async ({}, use) => {
    await use(randomUUID());
  },
  // eslint-disable-next-line no-empty-pattern -- as above
  tmpDir: async ({}, use) => {
    // Not below the test's own folder: the path of Chromium's socket has at most 107 characters.
    const folder = mkdtempSync(path.join(os.tmpdir(), 'mpd-cli-'));
    await use(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  },
  run: async ({ mark, tmpDir }, use) => {
    const started: RunningCommand[] = [];
    await use((...args) => {
      const command = startCommand(mark, tmpDir, args);
      started.push(command);
      return command;
    });
    for (const command of started) command.child.kill('SIGKILL');
  },
});
