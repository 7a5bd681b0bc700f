import type { LogEvent } from '../../src/session-log';
import { expectNoWorse, watch } from './compare';
import { CHUNK_MS, filmOf, liveManifest, type LiveFilm } from './live';
import { expectHonestLog } from './log-checks';
import { ensureFilm } from './media';
import { ensurePackaged } from './packaged';
import type { FormatServer } from './server';
import { nightly } from '../support/nightly';
import { expect, test, type PlayingPair } from './side-by-side';

/** Low latency needs time to reach its target. */
const LOW_LATENCY_SECONDS = 12;
const WATCH_SECONDS = 6;
/** Length of the film when a player joins. */
const WRITTEN_MS = 10_000;
/** The manifest's target, and the difference that catch-up tolerates on a busy machine. */
const TARGET_LATENCY_MS = 3000;
const LATENCY_SLACK_MS = 1500;
/** A seek back by half the window is by more than this, whenever a slow machine comes to it. */
const MOVED_BACK_MS = 2000;
/** Reached in seconds, and later on a busy machine. */
const patience = { timeout: 60_000 };

interface Stream {
  server: FormatServer;
  folder: string;
  withTime?: boolean;
  film?: Partial<LiveFilm>;
  /** Folder with the MPD that describes the film; default: its own. */
  describedBy?: string;
}

function startLive({ server, folder, withTime = true, film: more, describedBy }: Stream): LiveFilm {
  const film = filmOf({ folder, startedAtMs: Date.now() - WRITTEN_MS, ...more });
  const timeUrl = withTime ? { timeUrl: `${server.origin}/time` } : {};
  server.live('film', film);
  server.page('time', () => new Date().toISOString());
  server.page('live.mpd', () =>
    liveManifest({
      film,
      baseUrl: `${server.origin}/film/`,
      ...timeUrl,
      ...(describedBy === undefined ? {} : { describedBy }),
    }),
  );
  return film;
}

/** Latencies that the log has, in ms. */
const latenciesMs = (log: readonly LogEvent[]): number[] =>
  log.flatMap((event) => (event.type === 'player' ? (event.liveLatencyMs ?? []) : []));

for (const [title, packaged] of [
  ['ffmpeg', false],
  ['Shaka Packager', true],
] as const) {
  test(
    `low latency, chunk by chunk, from ${title}`,
    packaged ? {} : nightly,
    async ({ server, playPair }) => {
      const folder = packaged ? ensurePackaged('low-latency') : ensureFilm('chunked');
      const check = async ({ ours, bare }: PlayingPair): Promise<void> => {
        expect(ours.codes()).toEqual([]);
        expectHonestLog(ours.log);
        expectHonestLog(bare.log);
        const isNearTarget = (): boolean =>
          Math.abs((latenciesMs(ours.log).at(-1) ?? Infinity) - TARGET_LATENCY_MS) <
          LATENCY_SLACK_MS;
        await expect.poll(isNearTarget, patience).toBe(true);
        await expect(ours.page.locator('#panel')).toContainText('behind live');
      };
      await expectNoWorse(() => {
        // Its first segment has the number 0, and it is short.
        const film = { chunkMs: CHUNK_MS, firstNumber: packaged ? 0 : 1 };
        // Shaka Packager's MPD is that of its own clock; both films have the same rungs and names.
        startLive({ server, folder, film, describedBy: ensureFilm('chunked') });
        return playPair('live.mpd', LOW_LATENCY_SECONDS, check);
      });
    },
  );
}

for (const withTime of [true, false]) {
  const title = `live ${withTime ? 'with the server’s clock' : 'without a clock'}`;
  test(title, withTime ? {} : nightly, async ({ server, playPair }) => {
    const check = ({ ours, bare }: PlayingPair): void => {
      // Without a clock in the MPD dash.js queries a public server, which is unreachable in a test.
      expect(ours.codes().filter((code) => code !== 'time-sync')).toEqual([]);
      expectHonestLog(ours.log);
      expectHonestLog(bare.log);
    };
    await expectNoWorse(() => {
      startLive({ server, folder: ensureFilm('number'), withTime });
      return playPair('live.mpd', WATCH_SECONDS, check);
    });
  });
}

test('a late join, then a seek to the old end of the window', nightly, async ({ server, play }) => {
  const windowMs = 24_000;
  const startedAtMs = Date.now() - 36_000;
  startLive({ server, folder: ensureFilm('number'), film: { startedAtMs, windowMs } });
  const ours = await play('ours', 'live.mpd');
  await watch([ours], 2);
  expect(ours.codes()).toEqual([]);
  const liveMs = latenciesMs(ours.log).at(-1) ?? 0;
  const edge = await ours.positionSeconds();
  await ours.page.evaluate(
    (target) => {
      const video = document.querySelector('video');
      if (video) video.currentTime = target;
    },
    // A slow machine is late with the seek; by then the window's oldest second has gone.
    edge - windowMs / 2000,
  );
  // The player stays at the chosen distance from live, and plays on there.
  await expect
    .poll(() => latenciesMs(ours.log).at(-1), patience)
    .toBeGreaterThan(liveMs + MOVED_BACK_MS);
  const { shown } = await ours.frames();
  await expect.poll(async () => (await ours.frames()).shown, patience).toBeGreaterThan(shown + 24);
  expect(latenciesMs(ours.log).at(-1)).toBeGreaterThan(liveMs + MOVED_BACK_MS);
  expect(ours.fatal()).toBe(false);
  expect(ours.log.at(-1)).not.toMatchObject({ type: 'end' });
});

test('an encoder that hangs for 6 s', nightly, async ({ server, playPair }) => {
  const stall = { atMs: WRITTEN_MS + 4000, lateMs: 6000 };
  const check = async ({ ours }: PlayingPair): Promise<void> => {
    expect(ours.fatal()).toBe(false);
    const position = await ours.positionSeconds();
    await expect.poll(() => ours.positionSeconds(), patience).toBeGreaterThan(position + 1);
    expectHonestLog(ours.log);
  };
  await expectNoWorse(() => {
    startLive({ server, folder: ensureFilm('number'), film: { stall } });
    return playPair('live.mpd', 14, check);
  }, ['frames']);
});
