import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { electronWarning } from '../../src/app/main/electron-support';
import { ensureClip } from '../support/clip';
import { launchApp, type LaunchedApp } from '../support/electron';
import { readSessionLogs } from '../support/session-files';
import { serveFolder, type StaticServer } from '../support/static-server';
import { nightly } from '../support/nightly';

let mpd: string;
let server: StaticServer;
let scratch: string;
let app: LaunchedApp | undefined;

test.beforeAll(async () => {
  mpd = ensureClip();
  server = await serveFolder(path.dirname(mpd));
  scratch = mkdtempSync(path.join(os.tmpdir(), 'app-playback-'));
});

test.afterEach(async () => {
  await app?.close();
  app = undefined;
});

test.afterAll(async () => {
  await server.close();
  rmSync(scratch, { recursive: true, force: true });
});

async function expectFrames(page: Page): Promise<void> {
  await expect
    .poll(
      () =>
        page.evaluate(() => {
          const video = document.querySelector('video');
          if (video === null || video.currentTime < 1) return 0;
          return video.getVideoPlaybackQuality().totalVideoFrames;
        }),
      { timeout: 30_000 },
    )
    .toBeGreaterThan(20);
}

async function openAddress(page: Page, address: string): Promise<void> {
  await page.getByLabel('Address of a DASH manifest').fill(address);
  await page.keyboard.press('Enter');
}

test('plays a file of the command line and logs the whole session', async () => {
  const logDir = path.join(scratch, 'file');
  app = await launchApp({ args: [mpd, '--abr', 'dynamic'], logDir });
  await expectFrames(app.page);
  await expect(app.page.getByLabel('Rule')).toHaveValue('dynamic');
  await expect(app.page.locator('#panel')).toContainText('Buffer');
  await app.close();

  const [events = [], ...others] = readSessionLogs(logDir);
  expect(others).toEqual([]);
  expect(events[0]).toMatchObject({
    type: 'config',
    settings: { abr: 'dynamic', app: 'electron' },
  });
  expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'closed' });
  const types = new Set(events.map((event) => event.type));
  for (const type of ['status', 'manifest', 'request', 'startup', 'player'] as const) {
    expect(types).toContain(type);
  }
});

test('plays from a server without CORS headers, by keyboard alone', async () => {
  app = await launchApp();
  await expect(app.page.getByLabel('Address of a DASH manifest')).toBeFocused();
  await app.page.keyboard.type(`${server.origin}/stream.mpd`);
  await app.page.keyboard.press('Enter');
  await expectFrames(app.page);
});

test('opens several streams in turn, each with its own log', nightly, async () => {
  const logDir = path.join(scratch, 'two');
  app = await launchApp({ args: [mpd], logDir });
  await expectFrames(app.page);
  await openAddress(app.page, `${server.origin}/stream.mpd`);
  await expect(app.page).toHaveTitle(/127\.0\.0\.1/);
  await expectFrames(app.page);
  await app.close();
  const logs = readSessionLogs(logDir);
  expect(logs).toHaveLength(2);
  for (const events of logs) {
    expect(events[0]?.type).toBe('config');
    expect(events.filter((event) => event.type === 'end')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'closed' });
  }
});

test('reports the problem of an unplayable stream, and plays the next', async () => {
  const broken = path.join(scratch, 'broken.mpd');
  writeFileSync(broken, '<MPD><Period');
  app = await launchApp({ args: [broken] });
  const alert = app.page.locator('#message').getByRole('alert');
  await expect(alert).toContainText(/MPD|manifest/i, { timeout: 20_000 });

  await openAddress(app.page, `${server.origin}/none.mpd`);
  await expect(alert).toContainText('404', { timeout: 20_000 });

  await openAddress(app.page, 'http://127.0.0.1:1/a.mpd');
  await expect(alert).toContainText('127.0.0.1:1', { timeout: 40_000 });

  await openAddress(app.page, 'not an address');
  await expect(alert).toContainText('is not a URL');

  await openAddress(app.page, `${server.origin}/stream.mpd`);
  await expectFrames(app.page);
  await expect(app.page.locator('#message')).toBeHidden();
});

test('names a missing file', async () => {
  app = await launchApp({ args: [path.join(scratch, 'nowhere.mpd')] });
  await expect(app.page.getByRole('alert')).toContainText('nowhere.mpd: no such file');
});

test('plays on if the log cannot be written, and reports it', async () => {
  // A folder below a file: not even root can create it.
  const file = path.join(scratch, 'a-file');
  writeFileSync(file, '');
  app = await launchApp({ args: [mpd], logDir: path.join(file, 'sessions') });
  const message = app.page.locator('#message');
  await expect(message).toContainText(/not logged.*a-file/);
  const version = await app.electron.evaluate(() => process.versions.electron);
  // An old Electron is reported beside it.
  await expect(message).toContainText(electronWarning(version) ?? '');
  await expectFrames(app.page);
});
