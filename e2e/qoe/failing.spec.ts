/* eslint-disable no-empty-pattern -- Playwright reads the required fixtures from the pattern; these require none */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import type { LogEvent } from '../../src/session-log';
import { nightly } from '../support/nightly';
import { trialProcesses } from './children';
import { playerOf, smallScenario } from './scenario';
import { playTrial } from './trial';

const scenario = smallScenario({ durationMs: 60_000 });
const player = playerOf('dynamic');

/** Calls a function after the first frame. */
const afterFirstFrame =
  (action: () => void) =>
  (event: LogEvent): void => {
    if (event.type === 'startup') action();
  };

function kill(name: RegExp): void {
  const [victim] = trialProcesses().filter((child) => name.test(child.name));
  if (!victim) throw new Error(`no ${name} runs`);
  process.kill(victim.pid, 'SIGKILL');
}

function expectNothingLeft(): void {
  expect(trialProcesses()).toEqual([]);
  expect(execFileSync('ip', ['netns', 'list'], { encoding: 'utf8' })).toBe('');
}

test.afterEach(expectNothingLeft);

for (const { victim, name, reason } of [
  { victim: 'the link emulator', name: /^mpd-link/, reason: /^network: .*emulator is gone/ },
  { victim: 'the server', name: /^nginx/, reason: /^server: nginx ended/ },
  { victim: 'the browser', name: /^chrom/, reason: /^player: the browser/ },
]) {
  const details = victim === 'the server' ? {} : nightly;
  test(
    `a trial whose ${victim} is killed fails, reports the reason and leaves nothing`,
    details,
    async ({}, info) => {
      const onEvent = afterFirstFrame(() => kill(name));
      const { record, dir, log } = await playTrial(info, scenario, player, { onEvent });
      expect(record.outcome).toBe('failed');
      expect(record.error).toMatch(reason);
      expect(existsSync(path.join(dir, 'trial.json'))).toBe(true);
      expect(log().at(-1)).toMatchObject({ type: 'end' });
    },
  );
}

test(
  'a page without its stream fails the trial, with the log that shows it',
  nightly,
  async ({}, info) => {
    const blackholed = smallScenario({
      durationMs: 60_000,
      events: ['wifi', 'lte'].map((link) => ({
        atMs: 0,
        kind: 'link-state' as const,
        link,
        state: 'down' as const,
      })),
    });
    const { record, log } = await playTrial(info, blackholed, player);
    expect(record).toMatchObject({ outcome: 'failed' });
    expect(record.error).toMatch(/^player: /);
    expect(log().map((event) => event.type)).not.toContain('startup');
  },
);

test('a cancelled trial ends in order and counts as not played', async ({}, info) => {
  const controller = new AbortController();
  const onEvent = afterFirstFrame(() => controller.abort(new Error('enough')));
  const trial = playTrial(info, scenario, player, { onEvent, signal: controller.signal });
  await expect(trial).rejects.toThrow('enough');
  expect(existsSync(path.join(info.outputDir, `trials/1-${player.id}`, 'trial.json'))).toBe(false);
});
