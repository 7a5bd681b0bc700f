import { execFileSync } from 'node:child_process';
import type { BrainConfig } from '../../src/brain';
import { replayFile } from '../../src/cli/replay/command';
import type { LogEvent } from '../../src/session-log';
import { nightly } from '../support/nightly';
import { defaultNetwork, expect, ofType, pathsOf, position, setPath, test } from './fixtures';

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
/** More than one segment of the lowest rung. */
const CARRIED_BYTES = 400_000;
const endpoints = (): string => execFileSync('ip', ['mptcp', 'endpoint']).toString().trim();

test.describe('over a fast path and a harmful one', () => {
  test.use({
    network: { ...defaultNetwork, paths: pathsOf('5mbit,10ms', '600kbit,150ms,1%') },
  });

  test('demotes the harmful path, logs it, replays equally, and restores the system', async ({
    open,
    page,
    events,
    agent,
    logFile,
  }) => {
    const found = endpoints();
    await open({ policy: 'single-best' });
    // The first measurements may favour either path.
    const demotion = () =>
      ofType(events, 'path-decision')
        .filter(({ desired }) =>
          desired.some(({ pathId, state }) => pathId === 'path2' && state === 'backup'),
        )
        .at(-1);
    await expect
      .poll(() => demotion()?.reason, { timeout: 60_000 })
      .toMatch(/alone carries the stream: the fastest/);
    const demoted = demotion();
    await expect.poll(() => stateOf(events, 'path2'), { timeout: 60_000 }).toBe('backup');
    // The backlog of the path's subflow still arrives, at 600 kbit/s and less with losses; afterwards nothing does.
    let seen = -1;
    const isDrained = (): boolean => {
      const earlier = seen;
      seen = bytesOf(events, 'path2');
      return seen === earlier;
    };
    await expect.poll(isDrained, { intervals: [2000], timeout: 60_000 }).toBe(true);
    const before = { path1: bytesOf(events, 'path1'), path2: bytesOf(events, 'path2') };
    const gained = (path: 'path1' | 'path2'): number => bytesOf(events, path) - before[path];
    await expect.poll(() => gained('path1'), { timeout: 60_000 }).toBeGreaterThan(CARRIED_BYTES);
    expect(gained('path2')).toBeLessThan(0.05 * CARRIED_BYTES);
    await expect.poll(() => position(page), { timeout: 60_000 }).toBeGreaterThan(3);
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

  test(
    'follows the viewer’s choice in the panel, by keyboard too',
    nightly,
    async ({ open, page, events }, testInfo) => {
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
      // The panel names a policy by what it does.
      await page.keyboard.type('Only');
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
      // After the viewer returns the choice, the costly network decides.
      await select.selectOption('');
      await expect.poll(policy, { timeout: 60_000 }).toBe('metered');
    },
  );

  test('leaves the paths of a baseline unchanged', nightly, async ({ open, page, events }) => {
    await open({ abr: 'dynamic', correction: '0' });
    await expect.poll(() => position(page), { timeout: 60_000 }).toBeGreaterThan(5);
    // The handshake of the harmful path can lose packets.
    await expect.poll(() => stateOf(events, 'path2')).toBe('active');
    expect(ofType(events, 'path-decision')).toEqual([]);
  });
});

test('uses a network again after every return', async ({ open, page, lab, events }) => {
  await open();
  await expect.poll(() => position(page), { timeout: 60_000 }).toBeGreaterThan(3);
  for (let times = 0; times < 3; times += 1) {
    await setPath(lab, 'path1', 'down');
    await expect.poll(() => stateOf(events, 'path1'), { timeout: 60_000 }).not.toBe('active');
    await setPath(lab, 'path1', 'up');
    await expect.poll(() => stateOf(events, 'path1'), { timeout: 60_000 }).toBe('active');
  }
  const before = bytesOf(events, 'path1');
  await expect.poll(() => bytesOf(events, 'path1'), { timeout: 30_000 }).toBeGreaterThan(before);
});

test(
  'starts the next stream with the remembered rates of the networks',
  nightly,
  async ({ open, page, events }) => {
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
  },
);
