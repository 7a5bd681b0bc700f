import type { Page } from '@playwright/test';
import { expect, test } from './fixtures';

const position = (page: Page): Promise<number> =>
  page.evaluate(() => document.querySelector('video')?.currentTime ?? 0);

/** Waits until playback has come this far, however slow the machine. */
async function playedTo(page: Page, seconds: number): Promise<void> {
  await expect.poll(() => position(page), { timeout: 60_000 }).toBeGreaterThan(seconds);
}

const status = (page: Page) => page.getByRole('status');

test('plays on a plain page and says that it sees no paths', async ({ open }) => {
  const page = await open({}, false);
  await playedTo(page, 2);
  const frames = await page.evaluate(
    () => document.querySelector('video')?.getVideoPlaybackQuality().totalVideoFrames ?? 0,
  );
  expect(frames).toBeGreaterThan(24);
  await expect(status(page)).toContainText('No path data');
  await expect(page.getByRole('alert').first()).toBeHidden();
});

test('logs a whole session through the agent and tells it what to watch', async ({
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
  expect(Math.min(...log.map((event) => event.monotonicMs))).toBeGreaterThanOrEqual(5_000_000);
});

test('goes on when the agent is killed, and says so', async ({ open, agent }) => {
  const page = await open();
  await playedTo(page, 1);
  await agent.close();
  await expect(status(page)).toContainText('playing on without path data');
  await expect(page.getByText("chosen by dash.js's own measurements")).toBeVisible();
  await playedTo(page, (await position(page)) + 2);
});

test('takes a missing segment from another rung', async ({ open, media, log }) => {
  media.break(/chunk-stream1-00003/, { status: 404 });
  const page = await open();
  await playedTo(page, 7);
  const codes = log.flatMap((event) => (event.type === 'error' ? [event.code] : []));
  expect(codes.every((code) => code === 'segment-failed')).toBe(true);
  expect(log.some((event) => event.type === 'error' && event.fatal)).toBe(false);
  // The very segment, not the one after it: dash.js 5.2.1 by itself leaves a hole in a SegmentTimeline.
  const starts = log.flatMap((event) =>
    event.type === 'request' && event.mediaType === 'video' && event.outcome === 'ok'
      ? [event.mediaStartMs]
      : [],
  );
  expect(starts).toContain(4000);
});

test('passes over a segment that no rung has', async ({ open, media, log }) => {
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

test('counts the stall an observer in the page sees', async ({ open, media, log }) => {
  media.break(/chunk-stream\d-0000[4-9]|chunk-stream\d-0001/, 'hang');
  const page = await open();
  await page.evaluate(() => {
    const video = document.querySelector('video');
    if (!video) throw new Error('no video');
    const seen: number[] = [];
    Object.assign(window, { seen });
    let still = 0;
    let last = -1;
    // Knows nothing of events: a picture that should move and does not.
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
  await expect
    .poll(() => log.filter((event) => event.type === 'stall').length, { timeout: 60_000 })
    .toBe(1);
  media.mend();
  await expect
    .poll(() => log.filter((event) => event.type === 'stall').length, { timeout: 60_000 })
    .toBe(2);
  await playedTo(page, 8);
  const seen = await page.evaluate(() => (window as unknown as { seen: number[] }).seen);
  const stalls = log.flatMap((event) =>
    event.type === 'stall' && event.phase === 'end' ? [event.durationMs ?? 0] : [],
  );
  expect(seen).toHaveLength(1);
  expect(stalls).toHaveLength(1);
  expect(Math.abs((stalls[0] ?? 0) - (seen[0] ?? 0))).toBeLessThan(1000);
});

test('says what is wrong with an MPD', async ({ open, media }) => {
  media.break(/stream\.mpd/, { status: 404 });
  const missing = await open();
  await expect(missing.locator('#message')).toContainText('HTTP 404', { timeout: 30_000 });
  media.mend();
  media.break(/stream\.mpd/, { body: '<html>not an MPD' });
  await missing.goto('about:blank');
  const malformed = await open();
  await expect(malformed.locator('#message')).toContainText('MPD', { timeout: 30_000 });
});

test('says what is wrong with its address', async ({ open }) => {
  const page = await open({ abr: 'magic' });
  await expect(page.locator('#message')).toContainText('abr must be one of');
});
