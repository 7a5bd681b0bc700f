import { watch } from './compare';
import { BUSY_MS, expectFed, expectHonestLog, stalledMs } from './log-checks';
import { FILM_SECONDS, SEGMENT_SECONDS, ensureFilm } from './media';
import type { Playing } from './playing';
import { expect, test } from './side-by-side';
import { nightly } from '../support/nightly';

/** dash.js keeps 30 s ahead at the top rung. One segment may be in flight, one was just played. */
const MAX_AHEAD_SECONDS = 30 + 3 * SEGMENT_SECONDS;
/** Reached in seconds, and later on a busy machine. */
const patience = { timeout: 60_000 };
/** Two observers look at a frame at different times. */
const CLOCK_MS = 60;
/** Up to one audio frame before a segment. */
const DAMAGE_AT_BYTE = 1000;

/** Returns the end of the fetched range relative to the picture. */
async function aheadSeconds(player: Playing): Promise<number> {
  const ends = player.log.flatMap((event) =>
    event.type === 'request' && event.kind === 'media' && event.outcome === 'ok'
      ? [((event.mediaStartMs ?? 0) + (event.mediaDurationMs ?? 0)) / 1000]
      : [],
  );
  return Math.max(0, ...ends) - (await player.positionSeconds());
}

declare global {
  interface Window {
    longestFrameGapMs?: number;
    longestRunOnSeconds?: number;
  }
}

/** Measures the longest time between two shown frames. Runs in the page. */
function watchFrames(): void {
  const video = document.querySelector('video');
  let lastMs = Infinity;
  const onFrame = (nowMs: number): void => {
    window.longestFrameGapMs = Math.max(window.longestFrameGapMs ?? 0, nowMs - lastMs);
    lastMs = nowMs;
    video?.requestVideoFrameCallback(onFrame);
  };
  video?.requestVideoFrameCallback(onFrame);
}

/** Measures how far the position goes past the buffered media. Runs in the page. */
function watchRunOn(): void {
  const video = document.querySelector('video');
  setInterval(() => {
    const ranges = video?.buffered;
    if (!video || !ranges || ranges.length === 0) return;
    const run = video.currentTime - ranges.end(ranges.length - 1);
    window.longestRunOnSeconds = Math.max(window.longestRunOnSeconds ?? 0, run);
  }, 20);
}

/** Longest time without a decoded frame in the log. */
function longestFreezeMs({ log }: Playing): number {
  let [longestMs, sinceMs, frames] = [0, 0, -1];
  for (const event of log) {
    if (event.type !== 'player') continue;
    if (event.decodedFrames !== frames) sinceMs = event.monotonicMs;
    frames = event.decodedFrames;
    longestMs = Math.max(longestMs, event.monotonicMs - sinceMs);
  }
  return longestMs;
}

test('two corrupt segments in a row are skipped without a freeze or a flood', async ({
  server,
  play,
}) => {
  server.film('film', ensureFilm('number'));
  server.fault(/chunk-stream[01]-0000[34]/, { corruptFrom: DAMAGE_AT_BYTE });
  const ours = await play('ours', 'film/stream.mpd');
  await watch([ours], 2);
  expect(await aheadSeconds(ours)).toBeLessThan(MAX_AHEAD_SECONDS);
  await expect.poll(() => ours.positionSeconds(), patience).toBeGreaterThan(10);
  expect(ours.fatal()).toBe(false);
  // The rest of the film is fetched during playback.
  expect(await aheadSeconds(ours)).toBeLessThan(MAX_AHEAD_SECONDS);
  expect(stalledMs(ours.log)).toBeLessThan(SEGMENT_SECONDS * 1000 + BUSY_MS);
});

test('a frozen picture with continuing sound is counted, with dash.js alone too', async ({
  server,
  play,
}) => {
  server.film('film', ensureFilm('number'));
  server.fault(/chunk-stream[01]-0000[34]/, { corruptFrom: DAMAGE_AT_BYTE });
  const bare = await play('dash.js', 'film/stream.mpd');
  await expect.poll(() => bare.positionSeconds(), patience).toBeGreaterThan(5);
  // Now and then the decoder gives up at once, or copes with the damage.
  const isReported = async (): Promise<boolean> =>
    bare.stalls() > 0 ||
    bare.fatal() ||
    (longestFreezeMs(bare) < 1000 && (await bare.positionSeconds()) > 12);
  await expect.poll(isReported, patience).toBe(true);
});

test('a freeze lasts no longer than the screen was without a new frame', async ({
  server,
  play,
}) => {
  server.film('film', ensureFilm('number'));
  server.fault(/chunk-stream[01]-00004/, { delayMs: 9000 });
  const bare = await play('dash.js', 'film/stream.mpd');
  await bare.page.evaluate(watchFrames);
  await expect.poll(() => stalledMs(bare.log), patience).toBeGreaterThan(0);
  await expect.poll(() => bare.positionSeconds(), patience).toBeGreaterThan(10);
  const longestMs = await bare.page.evaluate(() => window.longestFrameGapMs ?? 0);
  // A browser decodes some frames ahead, so the decoder stands before the picture does.
  const [stall] = bare.log.filter((event) => event.type === 'stall' && event.phase === 'end');
  expect(stall?.type === 'stall' && stall.durationMs).toBeGreaterThan(longestMs / 2);
  expect(stall?.type === 'stall' && stall.durationMs).toBeLessThan(longestMs + CLOCK_MS);
});

test('the sound waits for a late picture, and none of the picture is lost', async ({
  server,
  play,
}) => {
  server.film('film', ensureFilm('number'));
  server.fault(/chunk-stream[01]-00004/, { delayMs: 7800 });
  const ours = await play('ours', 'film/stream.mpd');
  await ours.page.evaluate(watchRunOn);
  await expect.poll(() => stalledMs(ours.log), patience).toBeGreaterThan(0);
  await expect.poll(() => ours.positionSeconds(), patience).toBeGreaterThan(10);
  // Chromium alone plays the sound on for 3 s.
  expect(await ours.page.evaluate(() => window.longestRunOnSeconds ?? 0)).toBeLessThan(0.8);
  expect(await ours.page.evaluate(() => document.querySelector('video')?.playbackRate)).toBe(1);
});

test(
  'a segment that no rung has limits neither the rung nor the look-ahead',
  nightly,
  async ({ server, play }) => {
    server.film('film', ensureFilm('number'));
    server.fault(/chunk-stream[01]-00003/, { status: 404 });
    const ours = await play('ours', 'film/stream.mpd');
    await expect.poll(() => ours.codes(), patience).toEqual(['segment-failed', 'segment-skipped']);
    expect(await aheadSeconds(ours)).toBeLessThan(MAX_AHEAD_SECONDS);
    const rungsAfter = (): (number | undefined)[] =>
      ours.log.flatMap((event) =>
        event.type === 'request' && event.mediaType === 'video' && (event.mediaStartMs ?? 0) >= 6000
          ? [event.rung]
          : [],
      );
    // A loopback link carries the top rung.
    await expect.poll(rungsAfter, patience).toContain(1);
    await expect.poll(() => ours.positionSeconds(), patience).toBeGreaterThan(8);
  },
);

test('a server restart of 6 s ends nothing', async ({ server, play }) => {
  server.film('film', ensureFilm('number'));
  server.fault(/init-stream/, 'silent');
  const ours = await play('ours', 'film/stream.mpd');
  await expect.poll(() => server.asked.some((path) => path.includes('init-stream'))).toBe(true);
  server.mend();
  await server.restart(6000);
  await watch([ours], 2);
  expect(ours.codes()).toEqual([]);
  expectFed(ours.log);
});

test('an audio-only stream starts, is logged and ends', nightly, async ({ server, play }) => {
  server.film('film', ensureFilm('audio'));
  const players = await Promise.all([
    play('ours', 'film/stream.mpd'),
    play('dash.js', 'film/stream.mpd'),
  ]);
  await watch(players, 3);
  for (const player of players) {
    const { log, page } = player;
    expect(player.codes()).toEqual([]);
    expect(stalledMs(log)).toBeLessThan(BUSY_MS);
    expectHonestLog(log);
    await page.evaluate((seconds) => {
      const video = document.querySelector('video');
      if (video) video.currentTime = seconds;
    }, FILM_SECONDS - 1);
    await expect.poll(() => log.at(-1), patience).toMatchObject({ type: 'end', reason: 'ended' });
  }
});
