/* eslint-disable no-empty-pattern -- Playwright reads what a fixture needs from its pattern; some need nothing */
import path from 'node:path';
import { test as base } from '@playwright/test';
import { createFakeTransport } from '../../src/ports/testing';
import type { LogEvent } from '../../src/session-log';
import { startAgent } from '../../src/transport';
import { cleanUpBesideBrowser, type CleanUpFixture } from '../faults/clean-up';
import { openSeenLog, sessionLogs, type SessionLogs } from '../faults/whole-log';
import { launchOptions } from '../support/browser';
import { root } from '../support/electron';
import { watch, type Pair } from './compare';
import { observe, type PlayerName, type Playing } from './playing';
import { serveFormats, type FormatServer } from './server';

const parameters: Record<PlayerName, Record<string, string>> = {
  ours: { abr: 'multipath' },
  'dash.js': { abr: 'dynamic', correction: '0' },
};

type Play = (name: PlayerName, mpd: string, more?: Record<string, string>) => Promise<Playing>;

/** Both players on the same stream at the same time. */
export interface PlayingPair {
  ours: Playing;
  bare: Playing;
}

export interface FormatFixtures extends CleanUpFixture {
  server: FormatServer;
  play: Play;
  /** Plays a stream with both for some seconds, checks what must hold in every play, and ends both. */
  playPair: (
    mpd: string,
    seconds: number,
    check: (pair: PlayingPair) => void | Promise<void>,
    more?: Record<string, string>,
  ) => Promise<Pair>;
}

/** Room for panel and film: the software renderer takes a core for a large page. */
const VIEWPORT = { width: 720, height: 400 };

export const test = base.extend<FormatFixtures>({
  cleanUp: [...cleanUpBesideBrowser],
  launchOptions: async ({}, use) => {
    await use(launchOptions());
  },
  server: async ({}, use) => {
    const server = await serveFormats();
    await use(server);
    await server.close();
  },
  play: async ({ browser, server }, use, testInfo) => {
    const playing: Playing[] = [];
    const logsOfAgents: SessionLogs[] = [];
    await use(async (name, mpd, more = {}) => {
      const log: LogEvent[] = [];
      const number = logsOfAgents.length + 1;
      const logs = sessionLogs(
        (session) => testInfo.outputPath(`session-${number}-${session}.jsonl`),
        (file) => openSeenLog(file, log),
      );
      logsOfAgents.push(logs);
      const agent = await startAgent({
        pageDir: path.join(root, 'dist/page'),
        createTransport: () => createFakeTransport({ state: 'multipath', reason: 'One path.' }),
        openLog: logs.open,
      });
      const page = await browser.newPage({ viewport: VIEWPORT });
      let closing: Promise<void> | undefined;
      const close = (): Promise<void> => (closing ??= page.close().then(() => agent.close()));
      const player = observe(name, page, log, close);
      playing.push(player);
      const all = { mpd: `${server.origin}/${mpd}`, autoplay: '1', ...parameters[name], ...more };
      await page.goto(agent.pageUrl(all));
      return player;
    });
    await Promise.all(playing.map((player) => player.close()));
    for (const logs of logsOfAgents) logs.expectWhole();
  },
  playPair: async ({ play }, use, testInfo) => {
    await use(async (mpd, seconds, check, more = {}) => {
      const [ours, bare] = await Promise.all([play('ours', mpd, more), play('dash.js', mpd, more)]);
      const [oursGot, bareGot] = await watch([ours, bare], seconds);
      if (!oursGot || !bareGot) throw new Error('two players give two measurements');
      const pair = { ours: oursGot, bare: bareGot };
      testInfo.annotations.push({ type: 'pair', description: describePair(pair) });
      await check({ ours, bare });
      await Promise.all([ours.close(), bare.close()]);
      return pair;
    });
  },
});

/** Text of the test report that shows why a pair differs. */
const describePair = (pair: Pair): string =>
  JSON.stringify(pair, (_key, value: unknown) =>
    value instanceof Map ? Object.fromEntries(value as Map<number, number>) : value,
  );

export { expect } from '@playwright/test';
