import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { nightly } from '../support/nightly';

const position = (page: Page): Promise<number> =>
  page.evaluate(() => document.querySelector('video')?.currentTime ?? 0);

/** Waits until the playhead reaches a position, on a machine of any speed. */
async function playedTo(page: Page, seconds: number): Promise<void> {
  await expect.poll(() => position(page), { timeout: 60_000 }).toBeGreaterThan(seconds);
}

/** The server is silent for this long after the stall began. */
const HANG_MS = 3000;

const status = (page: Page) => page.getByRole('status');

test('plays on a plain page and reports that it sees no paths', async ({ open }) => {
  const page = await open({}, false);
  await playedTo(page, 2);
  const frames = await page.evaluate(
    () => document.querySelector('video')?.getVideoPlaybackQuality().totalVideoFrames ?? 0,
  );
  expect(frames).toBeGreaterThan(24);
  await expect(status(page)).toContainText('No path data');
  await expect(page.getByRole('alert').first()).toBeHidden();
});

test('logs a whole session through the agent and sends it the origins to watch', async ({
  open,
  agent,
  log,
  media,
  network,
}) => {
  const page = await open();
  await expect(status(page)).toContainText('Two paths.');
  await playedTo(page, 2);
  expect(network.watched).toEqual([media.origin]);
  await page.goto('about:blank');
  await expect.poll(() => agent.sessions).toBe(0);
  const types = log.map((event) => event.type);
  expect(types[0]).toBe('config');
  expect(types.at(-1)).toBe('end');
  for (const type of ['manifest', 'request', 'startup', 'player', 'status']) {
    expect(types).toContain(type);
  }
  expect(types).not.toContain('error');
  // A page may go without a word, on a busy machine for one. The agent then writes the end, by its own clock.
  const ofPage = log.filter((event) => event.type !== 'end' || event.reason !== 'interrupted');
  expect(Math.min(...ofPage.map((event) => event.monotonicMs))).toBeGreaterThanOrEqual(5_000_000);
});

const isWelcome = ({ payload }: { payload: string | Buffer }): boolean =>
  String(payload).includes('welcome');

test('comes back to the agent after a reload, though its token is used up', async ({ open }) => {
  const page = await open();
  await playedTo(page, 1);
  const [socket] = await Promise.all([page.waitForEvent('websocket'), page.reload()]);
  await socket.waitForEvent('framereceived', isWelcome);
});

test('comes back to the agent after reloads while it connects', nightly, async ({ open }) => {
  const page = await open();
  for (let time = 0; time < 5; time += 1) {
    await Promise.all([page.waitForEvent('websocket'), page.reload({ waitUntil: 'commit' })]);
  }
  const [socket] = await Promise.all([page.waitForEvent('websocket'), page.reload()]);
  await socket.waitForEvent('framereceived', isWelcome);
});

test('plays on after the agent is killed, and says so', async ({ open, agent }) => {
  const page = await open();
  await playedTo(page, 1);
  await agent.close();
  await expect(status(page)).toContainText('playing without path data');
  await expect(page.getByText("chosen by dash.js's own measurements")).toBeVisible();
  await playedTo(page, (await position(page)) + 2);
});

test('fetches a missing segment in another rung', async ({ open, media, log }) => {
  media.break(/chunk-stream1-00003/, { status: 404 });
  const page = await open();
  await playedTo(page, 7);
  const codes = log.flatMap((event) => (event.type === 'error' ? [event.code] : []));
  expect(codes.every((code) => code === 'segment-failed')).toBe(true);
  expect(log.some((event) => event.type === 'error' && event.fatal)).toBe(false);
  // This segment, not the next one: dash.js 5.2.1 alone leaves a gap in a SegmentTimeline.
  const starts = log.flatMap((event) =>
    event.type === 'request' && event.mediaType === 'video' && event.outcome === 'ok'
      ? [event.mediaStartMs]
      : [],
  );
  expect(starts).toContain(4000);
});

test('fetches a missing segment in another rung where the viewer has chosen the quality', async ({
  open,
  media,
  log,
}) => {
  media.break(/chunk-stream0-00006/, { status: 404 });
  // The choice replaces what was fetched in the top rung.
  const page = await open();
  await page.locator('media-rendition-menu-button').click();
  await page
    .locator('media-rendition-menu')
    .getByRole('menuitemradio', { name: /0\.3 Mbit/ })
    .click();
  await playedTo(page, 12);
  const codes = log.flatMap((event) => (event.type === 'error' ? [event.code] : []));
  expect(codes).toEqual(['segment-failed']);
});

test('skips a segment that no rung has', nightly, async ({ open, media, log }) => {
  media.break(/chunk-stream[01]-00003/, { status: 404 });
  const page = await open();
  await playedTo(page, 7);
  await expect
    .poll(() => log.flatMap((event) => (event.type === 'error' ? [event.code] : [])))
    .toContain('segment-skipped');
});

test('fetches a truncated segment again', async ({ open, media, log }) => {
  media.break(/chunk-stream[01]-00003/, { keepShare: 0.5 }, 1);
  const page = await open();
  await playedTo(page, 7);
  const failed = log.filter((event) => event.type === 'request' && event.outcome === 'failed');
  expect(failed).toHaveLength(1);
  expect(failed[0]).toMatchObject({ status: 200, error: expect.stringContaining('cut short') });
});

test('counts the stall that an observer in the page sees', async ({ open, media, log }) => {
  media.break(/chunk-stream\d-0000[4-9]|chunk-stream\d-0001/, 'hang');
  const page = await open();
  await page.evaluate(() => {
    const video = document.querySelector('video');
    if (!video) throw new Error('no video');
    const seen: number[] = [];
    Object.assign(window, { seen });
    let still = 0;
    let last = -1;
    // Uses no events: only a picture that should move and does not.
    const look = (): void => {
      const moved = video.currentTime !== last;
      if (last > 0.5 && !moved && !video.paused && !video.ended) still ||= performance.now();
      else if (still) {
        seen.push(performance.now() - still);
        still = 0;
      }
      last = video.currentTime;
      setTimeout(look, 100);
    };
    look();
  });
  const isStalled = (): boolean =>
    log.filter((event) => event.type === 'stall').at(-1)?.phase === 'start';
  const isStuck = async (): Promise<boolean> => isStalled() && (await position(page)) > 5;
  await expect.poll(isStuck, { timeout: 60_000 }).toBe(true);
  // Longer than any pause that a busy machine causes.
  await page.waitForTimeout(HANG_MS);
  media.mend();
  await playedTo(page, 8);
  await expect.poll(isStalled).toBe(false);
  const isLong = (ms: number): boolean => ms >= HANG_MS;
  const seen = await page.evaluate(() => (window as unknown as { seen: number[] }).seen);
  const stalls = log.flatMap((event) =>
    event.type === 'stall' && event.phase === 'end' ? [event.durationMs ?? 0] : [],
  );
  expect(seen.filter(isLong)).toHaveLength(1);
  expect(stalls.filter(isLong)).toHaveLength(1);
  // Both look a few times a second, and a busy machine delays each look.
  const [logged, longest] = [Math.max(...stalls), Math.max(...seen)];
  expect(Math.abs(logged - longest)).toBeLessThan(longest / 3);
});

test('reports the problem of an MPD', async ({ open, media }) => {
  media.break(/stream\.mpd/, { status: 404 });
  const missing = await open();
  await expect(missing.locator('#message')).toContainText('HTTP 404', { timeout: 30_000 });
  media.mend();
  media.break(/stream\.mpd/, { body: '<html>not an MPD' });
  await missing.goto('about:blank');
  const malformed = await open();
  await expect(malformed.locator('#message')).toContainText('MPD', { timeout: 30_000 });
});

test('reports the problem of its address', nightly, async ({ open }) => {
  const page = await open({ abr: 'magic' });
  await expect(page.locator('#message')).toContainText('abr must be one of');
});

test('ends for a viewer who pauses and seeks to the end', async ({ open, log }) => {
  const page = await open();
  const video = page.locator('video');
  // dash.js moves a seek to an end that is not there yet half a second ahead of it.
  const missingSeconds = () =>
    video.evaluate((element) => {
      const { buffered, duration } = element as HTMLVideoElement;
      return buffered.length === 1 ? duration - buffered.end(0) : Infinity;
    });
  await expect.poll(missingSeconds, { timeout: 60_000 }).toBe(0);
  await video.evaluate((element) => {
    const { duration } = element as HTMLVideoElement;
    (element as HTMLVideoElement).pause();
    (element as HTMLVideoElement).currentTime = duration;
  });
  const card = page.getByLabel('What the networks delivered');
  await expect(card).toContainText('The stream has ended', { timeout: 60_000 });
  // dash.js seeks to the end five times a second until the element has ended.
  const seeks = await video.evaluate(async (element) => {
    let count = 0;
    element.addEventListener('seeking', () => (count += 1));
    await new Promise((resolve) => setTimeout(resolve, 2000));
    return count;
  });
  expect(seeks).toBeLessThan(2);
  await expect(card).toBeVisible();
  expect(log.find(({ type }) => type === 'end')).toMatchObject({ reason: 'ended' });
});
