import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { mptcpizeEnv } from '../../src/lab';
import { summarize } from '../../src/qoe';
import { launchApp } from '../support/electron';
import { readSessionLogs } from '../support/session-files';
import { nightly } from '../support/nightly';
import { expect, interfaceBytes, ofType, position, test } from './fixtures';
import { observation, observeNow } from './observer';

/** Endpoints of the kernel follow the viewer's choice over MPTCP only. */
const OVER_MPTCP = ['--carriage', 'mptcp'];

test('the desktop app plays over both paths and shows them', async ({ server }, testInfo) => {
  const logDir = testInfo.outputPath('sessions');
  const app = await launchApp({ env: await mptcpizeEnv(), logDir, args: OVER_MPTCP });
  try {
    const { page } = app;
    await observeNow(page);
    await page.getByLabel('Address of a DASH manifest').fill(`${server.url}/manifest.mpd`);
    await page.keyboard.press('Enter');
    await expect.poll(() => position(page), { timeout: 90_000 }).toBeGreaterThan(8);
    await expect(page.locator('#panel')).toContainText('path1');
    await expect(page.locator('#panel')).toContainText('path2');
    const seen = await observation(page);
    const onInterfaces = [interfaceBytes('path1'), interfaceBytes('path2')];
    await app.close();

    const [events = []] = readSessionLogs(logDir);
    const { paths } = summarize(events);
    expect(paths.map((path) => path.id)).toEqual(['path1', 'path2']);
    paths.forEach((path, index) => {
      expect(path.bytes).toBeGreaterThan(100_000);
      expect(path.bytes / (onInterfaces[index] ?? 0)).toBeGreaterThan(0.8);
    });
    // A busy machine shows a few frames a second.
    expect(seen.frames).toBeGreaterThan(20);
    const switches = ofType(events, 'switch').filter((event) => event.mediaType === 'video');
    expect(switches.length).toBeGreaterThanOrEqual(seen.heights.length - 1);
  } finally {
    await app.close();
  }
});

const endpoints = (): string => execFileSync('ip', ['mptcp', 'endpoint']).toString().trim();

test(
  'the desktop app follows the viewer’s choice of paths, and remembers costly networks',
  nightly,
  async ({ server }, testInfo) => {
    const profile = testInfo.outputPath('profile');
    const logDir = testInfo.outputPath('sessions');
    const remembered = path.join(profile, 'networks.json');
    const url = `${server.url}/manifest.mpd`;
    const found = endpoints();
    const args = [url, ...OVER_MPTCP];
    const first = await launchApp({ env: await mptcpizeEnv(), logDir, profile, args });
    try {
      const { page } = first;
      await expect.poll(() => position(page), { timeout: 90_000 }).toBeGreaterThan(2);
      await page.getByLabel('Policy').selectOption('single-best');
      await expect.poll(endpoints, { timeout: 30_000 }).toContain('backup');
      await page.getByLabel('path2 costs').check();
      await page.getByLabel('Budget of path2 in megabytes').fill('5');
      await page.getByLabel('Price of path2 per gigabyte').fill('2.5');
      await page.keyboard.press('Tab');
      await expect.poll(() => readFileSync(remembered, 'utf8')).toContain('5000000');
      await expect.poll(() => readFileSync(remembered, 'utf8')).toContain('"costPerGb": 2.5');
      await page.screenshot({ path: testInfo.outputPath('app.png') });
      await first.close();
    } finally {
      await first.close();
    }
    expect(endpoints()).toBe(found);
    const [events = []] = readSessionLogs(logDir);
    expect(ofType(events, 'path-decision').at(-1)).toMatchObject({ policy: 'single-best' });

    // The second start knows it; the last one finds an unreadable file.
    const second = await launchApp({ env: await mptcpizeEnv(), profile, args: [url] });
    try {
      await expect(second.page.getByLabel('path2 costs')).toBeChecked({ timeout: 60_000 });
      await expect(second.page.getByLabel('Budget of path2 in megabytes')).toHaveValue('5');
      await expect(second.page.getByLabel('Price of path2 per gigabyte')).toHaveValue('2.5');
    } finally {
      await second.close();
    }
    writeFileSync(remembered, '{"version":1,"networks":[{}]}');
    const third = await launchApp({ env: await mptcpizeEnv(), profile });
    try {
      await expect(third.page.locator('#message')).toContainText(/ignored.*networks\.json\.bad/s);
    } finally {
      await third.close();
    }
  },
);
