import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { accessibilityProblems } from '../support/axe';
import { ensureLanguageClip } from '../support/language-clip';
import { nightly } from '../support/nightly';
import { carry } from './carry';
import { expect, test as base } from './fixtures';
import { serveFaulty, type FaultyServer } from './faulty-server';
import { press } from './press';

const CHAPTERS = `<EventStream schemeIdUri="urn:example:dash:chapter:2026" timescale="1000">
  <Event presentationTime="0" duration="12000">Opening &amp; titles</Event>
  <Event presentationTime="12000">Forest</Event>
</EventStream>`;

const test = base.extend<{ parameters: Record<string, string> }>({
  /** Parameters of the page's address, besides the manifest. */
  parameters: [{}, { option: true }],
});

let films: FaultyServer;
test.beforeAll(async () => {
  const mpd = ensureLanguageClip();
  const text = readFileSync(mpd, 'utf8').replace(/<Period[^>]*>/, (period) => period + CHAPTERS);
  writeFileSync(path.join(path.dirname(mpd), 'chapters.mpd'), text);
  films = await serveFaulty(path.dirname(mpd));
});
test.afterAll(() => films.close());
const video = (page: Page) => page.locator('video');
type Fact = 'currentTime' | 'paused' | 'muted' | 'volume' | 'playbackRate' | 'videoHeight';
const fact = (page: Page, name: Fact): Promise<unknown> =>
  video(page).evaluate((element, key) => (element as HTMLVideoElement)[key as 'paused'], name);
const expectFact = (page: Page, name: Fact) =>
  expect.poll(() => fact(page, name), { message: name, timeout: 60_000 });

/** Opens a menu by its button and chooses an item by its text. */
async function choose(page: Page, menu: string, item: RegExp): Promise<void> {
  await page.locator(`media-${menu}-menu-button`).click();
  await page.locator(`media-${menu}-menu`).getByRole('menuitemradio', { name: item }).click();
}

/** Keeps the handlers of the media keys, which no test can press: the browser takes them from the system. */
function keepMediaKeys(): void {
  const { prototype } = MediaSession;
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its object below
  const { setActionHandler } = prototype;
  const kept: Partial<Record<MediaSessionAction, MediaSessionActionHandler | null>> = {};
  Object.assign(window, { mediaKeys: kept });
  prototype.setActionHandler = function (action, handler): void {
    kept[action] = handler;
    setActionHandler.call(this, action, handler);
  };
}

const complaints: string[] = [];
test.beforeEach(async ({ open, page, parameters }) => {
  await page.addInitScript(keepMediaKeys);
  complaints.length = 0;
  page.on('console', (message) => {
    if (/Content.Security.Policy|Trusted|style sheet/i.test(message.text())) {
      complaints.push(message.text());
    }
  });
  await open({ mpd: `${films.origin}/stream.mpd`, ...parameters });
  await expectFact(page, 'currentTime').toBeGreaterThan(1);
});

test('draws its controls under the policy of the page', async ({ page }) => {
  await expect(page.locator('media-time-display')).toContainText(/0:(29|30)/);
  const bar = await page.locator('media-control-bar').boundingBox();
  expect(bar?.height).toBeGreaterThan(20);
  expect(complaints).toEqual([]);
});

test(
  'divides the seek bar into chapters, and names the one below the pointer',
  nightly,
  async ({ open, page }) => {
    await open({ mpd: `${films.origin}/chapters.mpd` });
    await expectFact(page, 'currentTime').toBeGreaterThan(0);
    const bar = page.locator('media-time-range');
    const cues = (): Promise<unknown> =>
      bar.evaluate(
        (element) => (element as unknown as { mediaChaptersCues: unknown }).mediaChaptersCues,
      );
    await expect.poll(cues, { timeout: 30_000 }).toEqual([
      { text: 'Opening & titles', startTime: 0, endTime: 12 },
      { text: 'Forest', startTime: 12, endTime: expect.closeTo(30, 0) as unknown },
    ]);
    const box = await bar.boundingBox();
    if (box === null) throw new Error('no seek bar');
    const name = page.locator('media-preview-chapter-display');
    for (const [place, text] of [
      [0.2, 'Opening & titles'],
      [0.8, 'Forest'],
    ] as const) {
      await page.mouse.move(box.x + place * box.width, box.y + box.height / 2);
      await expect(name).toHaveText(text);
      await expect(name).toBeVisible();
    }
    expect(complaints).toEqual([]);
  },
);

test("plays by the keys of the web's players", async ({ page }) => {
  await press(page, 'k');
  await expectFact(page, 'paused').toBe(true);
  const before = Number(await fact(page, 'currentTime'));
  await press(page, 'l');
  await expectFact(page, 'currentTime').toBeGreaterThan(before + 9);
  await press(page, 'j');
  await expectFact(page, 'currentTime').toBeLessThan(before + 5);
  await press(page, 'ArrowRight');
  await expectFact(page, 'currentTime').toBeGreaterThan(before + 9);
  await press(page, 'ArrowLeft');
  await expectFact(page, 'currentTime').toBeLessThan(before + 5);
  await press(page, 'm');
  await expectFact(page, 'muted').toBe(true);
  await press(page, 'm');
  await expectFact(page, 'muted').toBe(false);
  await press(page, 'ArrowDown');
  await expectFact(page, 'volume').toBeLessThan(1);
  await press(page, 'ArrowUp');
  await expectFact(page, 'volume').toBe(1);
  await press(page, '>');
  await expectFact(page, 'playbackRate').toBe(1.25);
  await press(page, '<');
  await expectFact(page, 'playbackRate').toBe(1);
  await press(page, 'Space');
  await expectFact(page, 'paused').toBe(false);
  await press(page, 'f');
  await expect(page.locator('media-controller')).toHaveAttribute('mediaisfullscreen', '');
  // The controller alone: neither panel nor message.
  expect(await page.evaluate(() => document.fullscreenElement?.localName)).toBe('media-controller');
  await press(page, 'f');
  await expect(page.locator('media-controller')).not.toHaveAttribute('mediaisfullscreen', '');
});

test('keeps a chosen quality, and gives the choice back', async ({ page }) => {
  await expect(page.locator('media-rendition-menu-button')).toBeVisible();
  await choose(page, 'rendition', /^90p · 0\.\d Mbit/);
  await expectFact(page, 'videoHeight').toBe(90);
  await choose(page, 'rendition', /^180p/);
  await expectFact(page, 'videoHeight').toBe(180);
  await choose(page, 'rendition', /^Auto/);
  const state = page.locator('media-rendition-menu-button');
  await expect(state).not.toHaveAttribute('mediarenditionselected', /./);
  await page.locator('media-rendition-menu-button').click();
  await expect(
    page.locator('media-rendition-menu').getByRole('menuitemradio', { name: /^Auto/ }),
  ).toHaveAttribute('aria-checked', 'true');
});

test('chooses sound and subtitles by language', nightly, async ({ page }) => {
  await choose(page, 'audio-track', /^Deutsch/);
  await page.locator('media-audio-track-menu-button').click();
  await expect(
    page.locator('media-audio-track-menu').getByRole('menuitemradio', { name: /^Deutsch/ }),
  ).toHaveAttribute('aria-checked', 'true');
  await page.keyboard.press('Escape');

  await choose(page, 'captions', /^Deutsch/);
  const cue = (): Promise<string | undefined> =>
    video(page).evaluate((element: HTMLVideoElement) => {
      const shown = [...element.textTracks].find(({ mode }) => mode === 'showing');
      return (shown?.activeCues?.[0] as VTTCue | undefined)?.text;
    });
  await expect.poll(cue, { timeout: 30_000 }).toBe('Guten Tag');
  await choose(page, 'captions', /^Off/);
  await expect.poll(cue).toBeUndefined();
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('c');
  await expect.poll(cue).toBe('Guten Tag');
});

test('chooses the speed, and opens a picture in the picture', nightly, async ({ page }) => {
  await choose(page, 'playback-rate', /^1\.5/);
  await expectFact(page, 'playbackRate').toBe(1.5);
  const inPicture = (): Promise<boolean> =>
    page.evaluate(() => document.pictureInPictureElement !== null);
  await page.locator('media-pip-button').click();
  await expect.poll(inPicture).toBe(true);
  await page.keyboard.press('p');
  await expect.poll(inPicture).toBe(false);
});

test('gives the system the title and the jumps', nightly, async ({ page }) => {
  const title = await page.evaluate(() => navigator.mediaSession.metadata?.title);
  expect(title).toBe(new URL(films.origin).host);
  await page.keyboard.press('k');
  await expectFact(page, 'paused').toBe(true);
  const press = (action: MediaSessionAction, seekTime?: number): Promise<void> =>
    page.evaluate(
      ([name, to]) => {
        const { mediaKeys } = window as unknown as {
          mediaKeys: Record<string, MediaSessionActionHandler>;
        };
        mediaKeys[name]?.({ action: name, ...(to === undefined ? {} : { seekTime: to }) });
      },
      [action, seekTime] as const,
    );
  await press('seekto', 3);
  await expectFact(page, 'currentTime').toBe(3);
  await press('seekforward');
  await expectFact(page, 'currentTime').toBe(13);
  await press('seekbackward');
  await expectFact(page, 'currentTime').toBe(3);
  await press('seekbackward');
  await expectFact(page, 'currentTime').toBe(0);
});

test('holds the rules of accessibility, menus open too', async ({ page }) => {
  await page.keyboard.press('k');
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.locator('media-rendition-menu-button').click();
  expect(await accessibilityProblems(page)).toEqual([]);
});

test.describe('a price of one network', () => {
  const networks = JSON.stringify([{ network: 'wwan0', metered: true, costPerGb: 4 }]);
  test.use({ parameters: { networks } });

  test('ends with bytes, share and money of each network', nightly, async ({ network, page }) => {
    carry(network, films.origin, [0, 0], 5_010_000);
    carry(network, films.origin, [750_000_000, 250_000_000], 5_011_000);
    await video(page).evaluate((element) => {
      (element as HTMLVideoElement).currentTime = 27;
    });
    const card = page.getByLabel('What the networks delivered');
    await expect(card).toContainText('2 networks delivered this stream', { timeout: 60_000 });
    await expect(card.getByRole('listitem')).toHaveText([
      /^wlan0750.* MB, 75 %$/,
      /^wwan0250.* MB, 25 %, cost 1\.00$/,
    ]);
  });
});

test('plays a dropped address, and reports why not a file', nightly, async ({ page }) => {
  const drop = (text: string, file?: string): Promise<void> =>
    page.evaluate(
      ([dropped, name]) => {
        const dataTransfer = new DataTransfer();
        if (name === undefined) dataTransfer.setData('text/plain', dropped);
        else dataTransfer.items.add(new File([dropped], name));
        document.body.dispatchEvent(
          new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }),
        );
      },
      [text, file] as const,
    );
  await drop('<MPD/>', 'film.mpd');
  await expect(page.locator('#message')).toContainText('open it in the desktop app');
  await drop('no address');
  await expect(page.locator('#message')).toContainText('Drop the address of a DASH manifest');
  await drop(`${films.origin}/chapters.mpd`);
  await expect.poll(() => decodeURIComponent(page.url())).toContain('chapters.mpd');
  await expectFact(page, 'currentTime').toBeGreaterThan(1);
});

test('comes back to where the viewer left, and ends with what the networks delivered', async ({
  page,
}) => {
  const seek = (seconds: number) =>
    video(page).evaluate((element, to) => {
      (element as HTMLVideoElement).currentTime = to;
    }, seconds);
  // A second key before the first has paused would pause again.
  await page.keyboard.press('k');
  await expectFact(page, 'paused').toBe(true);
  await seek(15);
  await page.keyboard.press('k');
  await expectFact(page, 'currentTime').toBeGreaterThan(15.5);
  await page.reload();
  await expectFact(page, 'currentTime').toBeGreaterThan(15.5);
  // Playback goes on to the end, which a seek to the last frame may skip.
  await seek(26);
  await expect(page.getByLabel('What the networks delivered')).toContainText(
    'The stream has ended',
    {
      timeout: 60_000,
    },
  );
});
