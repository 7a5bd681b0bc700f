import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { expect } from '@playwright/test';
import { SANDBOX_DIR } from '../../src/lab';
import { trialProcesses } from '../qoe/children';

const ip = (...words: string[]): string => execFileSync('ip', words, { encoding: 'utf8' });

/** Children of a killed program end a moment later; a busy machine takes longer. */
const PATIENCE_MS = 20_000;

/**
 * Everything of this machine that a session makes and must remove, as comparable text.
 * @param besides processes of another owner, such as a browser that several tests share
 */
export function stateOfMachine(besides?: RegExp): Record<string, unknown> {
  const processes = trialProcesses().map(({ name }) => name);
  return {
    processes: processes.filter((name) => besides?.test(name) !== true),
    namespaces: ip('netns', 'list'),
    // Without indices, because the kernel continues to count.
    links: ip('-o', 'link').replaceAll(/^\d+: /gm, ''),
    addresses: ip('-o', 'address').replaceAll(/^\d+: /gm, ''),
    endpoints: ip('mptcp', 'endpoint'),
    rules: ip('rule') + ip('-6', 'rule'),
    routes: ip('route', 'show', 'table', 'all') + ip('-6', 'route', 'show', 'table', 'all'),
    // The sandbox's own folder for temporary files, which ends with the sandbox. Playwright removes its folders when its
    // process ends. The browser's sound library makes one folder for a user, and keeps it. A killed browser leaves its own.
    files: readdirSync(SANDBOX_DIR).filter(
      (name) => !/^(playwright|pulse-|\.?org\.chromium\.)/.test(name),
    ),
  };
}

/** Nothing that came after that state is left. */
export async function expectNothingLeft(
  before: unknown,
  state: () => unknown = () => stateOfMachine(),
): Promise<void> {
  await expect.poll(state, { timeout: PATIENCE_MS }).toEqual(before);
}
