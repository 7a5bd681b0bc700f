import { expectNoWorse, startupMs, watch } from './compare';
import { expectFed, expectHonestLog } from './log-checks';
import { staticManifest } from './manifests';
import { ensureFilm } from './media';
import type { FormatServer } from './server';
import { nightly } from '../support/nightly';
import { expect, test, type PlayingPair } from './side-by-side';

const LADDER = [200_000, 600_000];
/** Delay of each segment, whose media last 2 s. */
const SLOW_MS = 700;

/** A port without a listener: the sandbox has no other servers, and the kernel gives out ports above 32767. */
const CLOSED_PORT = 17_999;

function serveTwo(server: FormatServer, firstBaseUrl: string, steeringUrl?: string): void {
  server.film('first', ensureFilm('number'));
  server.film('second', ensureFilm('number'));
  const plan = { baseUrls: [], startSeconds: 0, durationSeconds: 60, startNumber: 1 };
  server.page('two.mpd', () =>
    staticManifest(
      [{ ...plan, bitratesBps: LADDER }],
      [firstBaseUrl, `${server.origin}/second/`],
      steeringUrl,
    ),
  );
}

for (const title of ['answers 404', 'refuses connections'] as const) {
  test(
    `a first BaseURL that ${title}`,
    title === 'answers 404' ? {} : nightly,
    async ({ server, playPair }) => {
      const refused = title === 'refuses connections';
      serveTwo(server, refused ? `http://127.0.0.1:${CLOSED_PORT}/` : `${server.origin}/first/`);
      server.fault(/^\/first\//, { status: 404 });
      const check = ({ ours }: PlayingPair): void => {
        expect(ours.fatal()).toBe(false);
        expect(ours.codes()).not.toContain('init-failed');
        expect(ours.codes()).not.toContain('segment-skipped');
        expectHonestLog(ours.log);
      };
      await expectNoWorse(() => playPair('two.mpd', 4, check));
    },
  );
}

test('a BaseURL that fails during playback', async ({ server, play }) => {
  serveTwo(server, `${server.origin}/first/`);
  // A short look-ahead, so that some segments are not fetched yet.
  const ours = await play('ours', 'two.mpd', { bufferTarget: '6' });
  await watch([ours], 2);
  server.fault(/^\/first\//, { status: 503 });
  await expect.poll(() => ours.positionSeconds(), { timeout: 60_000 }).toBeGreaterThan(14);
  expect(ours.fatal()).toBe(false);
  expectFed(ours.log);
  expect(server.asked.some((path) => path.startsWith('/second/'))).toBe(true);
});

test('a first BaseURL that is silent', nightly, async ({ server, play }) => {
  serveTwo(server, `${server.origin}/first/`);
  server.fault(/^\/first\//, 'silent');
  const [ours, bare] = await Promise.all([play('ours', 'two.mpd'), play('dash.js', 'two.mpd')]);
  await watch([ours], 3);
  expect(ours.fatal()).toBe(false);
  expectFed(ours.log);
  expectHonestLog(ours.log);
  // dash.js alone waits 20 s for each of its tries.
  expect(startupMs(ours.log)).toBeLessThan(startupMs(bare.log));
});

test('a first BaseURL that is slow', nightly, async ({ server, playPair }) => {
  serveTwo(server, `${server.origin}/first/`);
  server.fault(/^\/first\//, { delayMs: SLOW_MS });
  const check = ({ ours }: PlayingPair): void => {
    expect(ours.codes()).toEqual([]);
    expectHonestLog(ours.log);
  };
  await expectNoWorse(() => playPair('two.mpd', 4, check), ['frames', 'stalls']);
});

test('content steering chooses the BaseURL at the start and later', async ({ server, play }) => {
  serveTwo(server, `${server.origin}/first/`, `${server.origin}/steering`);
  let priority = ['s1', 's0'];
  server.page('steering', () =>
    JSON.stringify({ VERSION: 1, TTL: 1, 'PATHWAY-PRIORITY': priority }),
  );
  const ours = await play('ours', 'two.mpd', { bufferTarget: '4' });
  await watch([ours], 1);
  const from = (folder: string, after = 0): number =>
    server.asked.slice(after).filter((path) => path.startsWith(`/${folder}/`)).length;
  expect(from('second')).toBeGreaterThan(0);
  expect(from('first')).toBe(0);
  priority = ['s0', 's1'];
  await expect.poll(() => from('first')).toBeGreaterThan(1);
  await expect.poll(() => ours.positionSeconds()).toBeGreaterThan(5);
  expect(ours.codes()).toEqual([]);
  expectFed(ours.log);
});
