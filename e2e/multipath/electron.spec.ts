import { mptcpizeEnv } from '../../src/lab';
import { summarize } from '../../src/qoe';
import { launchApp } from '../support/electron';
import { readSessionLogs } from '../support/session-files';
import { expect, interfaceBytes, ofType, position, test } from './fixtures';
import { observation, observeNow } from './observer';

test('the desktop app plays over both paths and shows them', async ({ server }, testInfo) => {
  const logDir = testInfo.outputPath('sessions');
  const app = await launchApp({ env: await mptcpizeEnv(), logDir });
  try {
    const { page } = app;
    await observeNow(page);
    await page.getByLabel('Address of a DASH manifest').fill(`${server.url}/manifest.mpd`);
    await page.keyboard.press('Enter');
    await expect.poll(() => position(page), { timeout: 90_000 }).toBeGreaterThan(12);
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
    expect(seen.frames).toBeGreaterThan(100);
    const switches = ofType(events, 'switch').filter((event) => event.mediaType === 'video');
    expect(switches.length).toBeGreaterThanOrEqual(seen.heights.length - 1);
  } finally {
    await app.close();
  }
});
