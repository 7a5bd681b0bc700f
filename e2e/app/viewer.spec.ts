import path from 'node:path';
import { expect, test, type Page } from '@playwright/test';
import { accessibilityProblems } from '../support/axe';
import { launchApp, type LaunchedApp } from '../support/electron';
import { ensureLanguageClip } from '../support/language-clip';
import { serveFolder, type StaticServer } from '../support/static-server';
import { nightly } from '../support/nightly';

let mpd: string;
let server: StaticServer;
let app: LaunchedApp | undefined;

test.beforeAll(async () => {
  mpd = ensureLanguageClip();
  server = await serveFolder(path.dirname(mpd));
});
test.afterEach(async () => {
  await app?.close();
  app = undefined;
});
test.afterAll(() => server.close());

const position = (page: Page): Promise<number> =>
  page.evaluate(() => document.querySelector('video')?.currentTime ?? 0);
const playedTo = (page: Page, seconds: number) =>
  expect.poll(() => position(page), { timeout: 60_000 }).toBeGreaterThan(seconds);

/** A drop by the viewer, through the debugger: a page cannot make one that is trusted. */
async function drop(page: Page, data: { files: string[]; items: object[] }): Promise<void> {
  const session = await page.context().newCDPSession(page);
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
    await session.send('Input.dispatchDragEvent', {
      type,
      x: 300,
      y: 300,
      data: { ...data, dragOperationsMask: 1 } as never,
    });
  }
}

test('shows networks and keys on its first page, within the rules of accessibility', async () => {
  app = await launchApp();
  const { page } = app;
  await expect(page.getByRole('heading', { name: 'Nothing is playing' })).toBeVisible();
  await expect(page.locator('#launch')).not.toBeEmpty();
  expect(await accessibilityProblems(page)).toEqual([]);
});

test('plays a file with its controls, within the rules of accessibility', async () => {
  app = await launchApp({ args: [mpd] });
  const { page } = app;
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (/Content.Security.Policy|Trusted/i.test(message.text())) complaints.push(message.text());
  });
  await playedTo(page, 1);
  await expect(page.getByText('A file of this computer: no network carries it.')).toBeVisible();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press('k');
  await expect.poll(() => page.evaluate(() => document.querySelector('video')?.paused)).toBe(true);
  expect(await accessibilityProblems(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

test('leaves the stream that plays at a bad address', nightly, async () => {
  app = await launchApp({ args: [mpd] });
  const { page } = app;
  await playedTo(page, 1);
  const title = await page.title();
  for (const [address, reason] of [
    [`${server.origin}/none.mpd`, 'HTTP 404'],
    [`${server.origin}/de.vtt`, 'brings no DASH manifest'],
    ['not an address', 'is not a URL'],
  ] as const) {
    await page.getByLabel('Address of a DASH manifest').fill(address);
    await page.keyboard.press('Enter');
    await expect(page.locator('#message')).toContainText(reason, { timeout: 20_000 });
    await expect(page.locator('#message')).toContainText('The stream before plays on');
  }
  expect(await page.title()).toBe(title);
  await playedTo(page, (await position(page)) + 0.5);
});

test('opens a dropped address, and a dropped file once the viewer agrees', nightly, async () => {
  app = await launchApp();
  const { electron, page } = app;
  await expect(page.getByRole('heading', { name: 'Nothing is playing' })).toBeVisible();
  const address = `${server.origin}/stream.mpd`;
  await drop(page, { files: [], items: [{ mimeType: 'text/uri-list', data: address }] });
  await expect(page.getByLabel('Address of a DASH manifest')).toHaveValue(address);
  await playedTo(page, 1);

  await electron.evaluate(({ dialog }) => {
    const asked = globalThis as unknown as { asked: number; answer: number };
    asked.asked = 0;
    asked.answer = 1;
    dialog.showMessageBox = () => {
      asked.asked += 1;
      return Promise.resolve({ response: asked.answer, checkboxChecked: false });
    };
  });
  const asked = () => electron.evaluate(() => (globalThis as unknown as { asked: number }).asked);
  await drop(page, { files: [mpd], items: [] });
  await expect.poll(asked).toBe(1);
  await expect(page.getByLabel('Address of a DASH manifest')).toHaveValue(address);
  await electron.evaluate(() => {
    (globalThis as unknown as { answer: number }).answer = 0;
  });
  await drop(page, { files: [mpd], items: [] });
  await expect(page.getByLabel('Address of a DASH manifest')).toHaveValue(mpd);
  await playedTo(page, 1);
});

// eslint-disable-next-line no-empty-pattern -- Playwright reads the required fixtures from the pattern
test('lists the streams of before, and comes back to where the viewer left', async ({}, info) => {
  const profile = info.outputPath('profile');
  const address = `${server.origin}/stream.mpd`;
  app = await launchApp({ profile, args: [address] });
  await playedTo(app.page, 1);
  await app.page.locator('video').evaluate((video: HTMLVideoElement) => {
    video.currentTime = 12;
  });
  await playedTo(app.page, 13);
  await app.close();

  app = await launchApp({ profile });
  const { page } = app;
  const recent = page.getByRole('region', { name: 'Recent streams' });
  await recent.getByRole('button', { name: address }).click();
  // From the beginning, twelve seconds would have to pass first.
  await expect.poll(() => position(page), { timeout: 10_000 }).toBeGreaterThan(11);
  await expect(recent).toBeHidden();
});
