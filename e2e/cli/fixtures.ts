import { randomUUID } from 'node:crypto';
import { test as base } from '@playwright/test';
import { startCommand, type RunningCommand } from './command';

interface CommandFixtures {
  mark: string;
  run: (...args: string[]) => RunningCommand;
}

/** Commands that carry a test's mark, and end with it. */
export const test = base.extend<CommandFixtures>({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads what a fixture needs from its pattern
  mark: async ({}, use) => {
    await use(randomUUID());
  },
  run: async ({ mark }, use) => {
    const started: RunningCommand[] = [];
    await use((...args) => {
      const command = startCommand(mark, args);
      started.push(command);
      return command;
    });
    for (const command of started) command.child.kill('SIGKILL');
  },
});
