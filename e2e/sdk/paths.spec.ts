import path from 'node:path';
import { startMediaServer } from '../../src/lab';
import { summarize } from '../../src/qoe';
import type { LogEvent } from '../../src/session-log';
import { createLinuxFeed, openJsonlLog, startAgent } from '../../src/transport';
import { loadNative } from '../../src/kernel';
import { openSharedPathControl } from '../../src/path-control';
import { expect, ofType, position, test as base } from '../multipath/fixtures';
import { ensureHlsClip } from '../support/hls-clip';
import { nightly } from '../support/nightly';
import { serveTree } from '../support/static-server';
import { sdkFixture, type SdkFixtures } from './fixtures';

const test = base.extend<{ origin: string }, SdkFixtures>({
  sdk: [...sdkFixture],
  /** The embedder's own page, from another origin than agent and media. */
  origin: async ({ sdk }, use) => {
    const page = await serveTree(path.join(sdk.folder, 'dist'));
    await use(page.origin);
    await page.close();
  },
  agent: async ({ events, logFile, origin }, use) => {
    const pathControl = await openSharedPathControl({ foreignEndpoints: 'suspend' });
    const agent = await startAgent({
      pathControl,
      pageDir: '/nonexistent',
      access: { origins: [origin], consent: () => Promise.resolve('granted') },
      createTransport: () => createLinuxFeed({ loadNative }),
      openLog: () => openJsonlLog(logFile),
      onEvent: (event) => void events.push(event),
    });
    await use(agent);
    await agent.close();
    await pathControl.close();
  },
});

test.setTimeout(240_000);

/** More than a handshake and a probe. */
const CARRIED_BYTES = 100_000;
/** Decisions by what both paths carry follow the first segments. */
const MANY_SEGMENTS = 5;

const videoRequests = (events: readonly LogEvent[]) =>
  ofType(events, 'request').filter(
    ({ kind, mediaType }) => kind === 'media' && mediaType === 'video',
  );

const ofOwnRule = (events: readonly LogEvent[]) =>
  ofType(events, 'decision').filter(({ rule }) => rule === 'MultipathRule');

/** The newest requests are on rungs that were decided. The first ones may come before any decision. */
function followsDecisions(events: readonly LogEvent[]): boolean {
  const decided = new Set(ofOwnRule(events).map(({ toRung }) => toRung));
  return videoRequests(events)
    .slice(-3)
    .every(({ rung }) => decided.has(rung ?? -1));
}

/** The session shows all that a test asserts. */
function isSeen(events: readonly LogEvent[]): boolean {
  const { paths } = summarize(events);
  return (
    followsDecisions(events) &&
    videoRequests(events).length > MANY_SEGMENTS &&
    paths.length === 2 &&
    paths.every(({ bytes }) => bytes > CARRIED_BYTES)
  );
}

for (const player of ['own', 'dash', 'shaka', 'hls']) {
  test(
    `${player} decides by both paths of an embedder's page`,
    player === 'own' ? {} : nightly,
    async ({ agent, events, lab, origin, page, server }) => {
      const hls =
        player === 'hls'
          ? await startMediaServer({
              ...lab.server,
              port: 8081,
              root: ensureHlsClip(),
            })
          : undefined;
      const requested: URL[] = [];
      page.on('request', (request) => void requested.push(new URL(request.url())));
      const url = hls ? `${hls.url}/main.m3u8` : `${server.url}/manifest.mpd`;
      const parameters = { player, url, feed: agent.feedUrl, token: agent.issueToken() };
      await page.goto(`${origin}/#${new URLSearchParams(parameters).toString()}`);
      await expect.poll(() => position(page), { timeout: 90_000 }).toBeGreaterThan(2);
      await expect.poll(() => isSeen(events), { timeout: 90_000 }).toBe(true);
      await page.close();
      await expect.poll(() => events.at(-1)?.type).toBe('end');
      await hls?.stop();

      const summary = summarize(events);
      expect(summary.paths.map(({ id }) => id)).toEqual(['path1', 'path2']);
      for (const one of summary.paths) expect(one.bytes).toBeGreaterThan(CARRIED_BYTES);
      expect(ofOwnRule(events).some(({ forecast }) => forecast.basis === 'paths')).toBe(true);
      expect(videoRequests(events).length).toBeGreaterThan(MANY_SEGMENTS);
      if (player === 'own') {
        const cmcd = requested.map((one) => one.searchParams.get('CMCD') ?? '');
        expect(
          cmcd.some((one) => /(^|,)v=2(,|$)/.test(one) && /(^|,)sid="[0-9a-f-]{36}"/.test(one)),
        ).toBe(true);
        expect(cmcd.some((one) => /multipathdash-paths="path1=\d+ path2=\d+"/.test(one))).toBe(
          true,
        );
      }
      expect(ofType(events, 'startup')).toHaveLength(1);
      expect(ofType(events, 'error').filter(({ fatal }) => fatal)).toEqual([]);
    },
  );
}
