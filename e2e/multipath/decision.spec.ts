import { execFileSync } from 'node:child_process';
import type { BrainConfig } from '../../src/brain';
import { replayFile } from '../../src/cli/replay';
import type { LogEvent } from '../../src/qoe';
import { defaultNetwork, expect, ofType, pathsOf, position, test } from './fixtures';

const stateOf = (events: readonly LogEvent[], path: string): string | undefined =>
  ofType(events, 'samples')
    .at(-1)
    ?.batch.connections.flatMap(({ subflows }) => subflows)
    .find(({ pathId }) => pathId === path)?.state;
const bytesOf = (events: readonly LogEvent[], path: string): number =>
  ofType(events, 'samples')
    .at(-1)
    ?.batch.connections.flatMap(({ subflows }) => subflows)
    .filter(({ pathId }) => pathId === path)
    .reduce((sum, { bytesReceived }) => sum + bytesReceived, 0) ?? 0;
const endpoints = (): string => execFileSync('ip', ['mptcp', 'endpoint']).toString().trim();

test.describe('over a fast path and one that only harms', () => {
  test.use({
    network: { ...defaultNetwork, paths: pathsOf('5mbit,10ms', '600kbit,150ms,1%') },
  });

  test('demotes the harmful path, says so, replays alike, and leaves everything as found', async ({
    open,
    page,
    events,
    agent,
    logFile,
  }) => {
    const found = endpoints();
    await open({ policy: 'single-best' });
    await expect
      .poll(() => ofType(events, 'path-decision').at(-1)?.reason, { timeout: 60_000 })
      .toMatch(/alone carries the stream: the fastest/);
    const demoted = ofType(events, 'path-decision').at(-1);
    expect(demoted?.desired).toContainEqual({ pathId: 'path2', state: 'backup' });
    await expect.poll(() => stateOf(events, 'path2'), { timeout: 60_000 }).toBe('backup');
    // What was on its way still comes; then nothing does.
    await page.waitForTimeout(4000);
    const before = { path1: bytesOf(events, 'path1'), path2: bytesOf(events, 'path2') };
    await page.waitForTimeout(5000);
    const gained = {
      path1: bytesOf(events, 'path1') - before.path1,
      path2: bytesOf(events, 'path2') - before.path2,
    };
    expect(gained.path1).toBeGreaterThan(100_000);
    expect(gained.path2).toBeLessThan(20_000);
    expect(await position(page)).toBeGreaterThan(3);
    const answers = ofType(events, 'path-control').map(({ report }) => report.sequence);
    expect(answers).toContain(demoted?.sequence);

    await page.close();
    await expect.poll(() => events.at(-1)?.type).toBe('end');
    await agent.close();
    expect(endpoints()).toBe(found);
    const replayed = replayFile(logFile);
    expect(replayed.difference).toBeUndefined();
    expect(replayed.decisions).toBeGreaterThan(50);
  });

  test('does what the viewer chooses in the panel, by keyboard too', async ({
    open,
    page,
    events,
  }, testInfo) => {
    const policy = (): Promise<unknown> =>
      page.evaluate(
        () =>
          (
            globalThis as unknown as {
              multipathDash: { snapshot(): { paths?: { policy: string } } };
            }
          ).multipathDash.snapshot().paths?.policy,
      );
    await page.setViewportSize({ width: 1280, height: 800 });
    await open();
    await expect.poll(() => position(page), { timeout: 60_000 }).toBeGreaterThan(2);
    const select = page.getByLabel('Policy');
    await select.focus();
    await page.keyboard.type('single');
    await page.keyboard.press('Tab');
    await expect(select).toHaveValue('single-best');
    await expect.poll(() => stateOf(events, 'path2'), { timeout: 60_000 }).toBe('backup');
    expect(await policy()).toBe('single-best');
    const costs = page.getByLabel('path1 costs');
    const budget = page.getByLabel('Budget of path1 in megabytes');
    await expect(budget).toBeDisabled();
    await costs.focus();
    await page.keyboard.press('Space');
    await expect(costs).toBeChecked();
    await expect(budget).toBeEnabled();
    await page.screenshot({ path: testInfo.outputPath('light.png') });
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.screenshot({ path: testInfo.outputPath('dark.png') });
    // Given back to the player, the choice follows from the network that costs.
    await select.selectOption('');
    await expect.poll(policy, { timeout: 60_000 }).toBe('metered');
  });

  test('leaves the paths alone for a baseline', async ({ open, page, events }) => {
    await open({ abr: 'dynamic', correction: '0' });
    await expect.poll(() => position(page), { timeout: 60_000 }).toBeGreaterThan(5);
    expect(stateOf(events, 'path2')).toBe('active');
    expect(ofType(events, 'path-decision')).toEqual([]);
  });
});

test('uses a network again each time it comes back', async ({ open, page, lab, events }) => {
  await open();
  await expect.poll(() => position(page), { timeout: 60_000 }).toBeGreaterThan(3);
  for (let times = 0; times < 3; times += 1) {
    await lab.setLink('path1', { state: 'down' });
    await expect
      .poll(() => ofType(events, 'path').at(-1)?.event.kind, { timeout: 30_000 })
      .not.toBe('subflow-established');
    await page.waitForTimeout(2000);
    await lab.setLink('path1', { state: 'up' });
    await expect.poll(() => stateOf(events, 'path1'), { timeout: 15_000 }).toBe('active');
  }
  const before = bytesOf(events, 'path1');
  await expect.poll(() => bytesOf(events, 'path1'), { timeout: 30_000 }).toBeGreaterThan(before);
});

test('starts the next stream with what the networks carried', async ({ open, page, events }) => {
  await open();
  await expect.poll(() => position(page), { timeout: 60_000 }).toBeGreaterThan(8);
  const first = ofType(events, 'config').length;
  await page.reload();
  await expect
    .poll(() => ofType(events, 'config').length, { timeout: 30_000 })
    .toBeGreaterThan(first);
  const { brain } = ofType(events, 'config').at(-1)?.settings as { brain: BrainConfig };
  expect(brain.remembered?.map(({ pathId }) => pathId).sort()).toEqual(['path1', 'path2']);
  for (const { rateBps } of brain.remembered ?? []) {
    expect(rateBps).toBeGreaterThan(1e6);
    expect(rateBps).toBeLessThan(8e6);
  }
  await expect.poll(() => position(page), { timeout: 60_000 }).toBeGreaterThan(1);
});
