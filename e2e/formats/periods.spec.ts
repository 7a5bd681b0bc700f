import { expectNoWorse, watch } from './compare';
import { expectFed, expectHonestLog } from './log-checks';
import { staticManifest, type PeriodPlan } from './manifests';
import { ensureFilm } from './media';
import { nightly } from '../support/nightly';
import { expect, test, type PlayingPair } from './side-by-side';

const PERIOD_SECONDS = 6;
const patience = { timeout: 30_000 };
const TWO_RUNGS = [200_000, 600_000];
const THREE_RUNGS = [150_000, 300_000, 700_000];

const plan = (over: Partial<PeriodPlan>): PeriodPlan => ({
  baseUrls: [],
  startSeconds: 0,
  durationSeconds: PERIOD_SECONDS,
  startNumber: 1,
  bitratesBps: TWO_RUNGS,
  ...over,
});

for (const [title, film, bitratesBps] of [
  ['periods with the same ladder', 'number', TWO_RUNGS],
  ['periods with other ladders and the same ids', 'other-ladder', THREE_RUNGS],
] as const) {
  test(title, film === 'number' ? nightly : {}, async ({ server, playPair }) => {
    server.film('number', ensureFilm('number'));
    server.film(film, ensureFilm(film));
    server.page('periods.mpd', () =>
      staticManifest([
        plan({ baseUrls: [`${server.origin}/number/`] }),
        plan({
          baseUrls: [`${server.origin}/${film}/`],
          startSeconds: PERIOD_SECONDS,
          startNumber: 11,
          bitratesBps,
        }),
      ]),
    );
    const check = async ({ ours }: PlayingPair): Promise<void> => {
      await expect.poll(() => ours.positionSeconds(), patience).toBeGreaterThan(PERIOD_SECONDS + 1);
      expect(ours.codes()).toEqual([]);
      expectHonestLog(ours.log);
      const manifests = ours.log.flatMap((event) =>
        event.type === 'manifest' ? [event.ladders.find((one) => one.mediaType === 'video')] : [],
      );
      expect(manifests.at(-1)?.rungs.map((rung) => rung.bitrateBps)).toEqual([...bitratesBps]);
    };
    await expectNoWorse(() => playPair('periods.mpd', PERIOD_SECONDS + 3, check));
  });
}

test('a rung missing in one period is used in the next', nightly, async ({ server, play }) => {
  server.film('first', ensureFilm('number'));
  server.film('second', ensureFilm('number'));
  server.fault(/^\/first\/init-stream1/, { status: 404 });
  server.page('periods.mpd', () =>
    staticManifest([
      plan({ baseUrls: [`${server.origin}/first/`] }),
      plan({
        baseUrls: [`${server.origin}/second/`],
        startSeconds: PERIOD_SECONDS,
        startNumber: 11,
      }),
    ]),
  );
  const ours = await play('ours', 'periods.mpd');
  await expect.poll(() => ours.positionSeconds(), patience).toBeGreaterThan(PERIOD_SECONDS + 1);
  expect(ours.fatal()).toBe(false);
  expect(new Set(ours.codes())).toEqual(new Set(['init-failed']));
  expect(server.asked).toContain('/second/init-stream1.m4s');
  expectFed(ours.log);
});

test(
  'a rung without initialization segment is left without a frozen picture',
  nightly,
  async ({ server, play }) => {
    server.film('film', ensureFilm('other-ladder'));
    server.fault(/init-stream2/, { status: 404 });
    const ours = await play('ours', 'film/stream.mpd');
    const [got] = await watch([ours], 5);
    expect(ours.fatal()).toBe(false);
    expectFed(ours.log);
    // 24 frames a second, half of them on a busy machine.
    expect(got?.frames).toBeGreaterThan(5 * 12);
  },
);
