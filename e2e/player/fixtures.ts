/* eslint-disable no-empty-pattern -- Playwright reads the required fixtures from the pattern; some require none */
import path from 'node:path';
import { test as base, type Page } from '@playwright/test';
import type { Transport } from '../../src/ports';
import { createFakeTransport, type FakeTransport } from '../../src/ports/testing';
import type { LogEvent } from '../../src/session-log';
import { startAgent, type Agent } from '../../src/transport';
import { cleanUpBesideBrowser, type CleanUpFixture } from '../faults/clean-up';
import { openSeenLog, sessionLogs } from '../faults/whole-log';
import { ensureClip } from '../support/clip';
import { launchOptions } from '../support/browser';
import { root } from '../support/electron';
import { serveFaulty, type FaultyServer } from './faulty-server';

export interface PlayerFixtures extends CleanUpFixture {
  media: FaultyServer;
  /** The network behind the agent, controlled by the test. */
  network: FakeTransport;
  /** The log's events, in order. */
  log: LogEvent[];
  agent: Agent;
  /** Opens the player page with the clip; without `feed` as a plain web page. */
  open: (parameters?: Record<string, string>, feed?: boolean) => Promise<Page>;
}

/** A session's own transport over the network: a reloaded page is there before the session before has closed its own. */
function viewOf(network: FakeTransport): Transport {
  const undo: (() => void)[] = [];
  return {
    nowMs: () => network.nowMs(),
    subscribe(listener) {
      const unsubscribe = network.subscribe(listener);
      undo.push(unsubscribe);
      return unsubscribe;
    },
    watch: (origins) => network.watch(origins),
    close: () => {
      for (const unsubscribe of undo.splice(0)) unsubscribe();
    },
  };
}

/** The built player page in the command line's browser. */
export const test = base.extend<PlayerFixtures>({
  cleanUp: [...cleanUpBesideBrowser],
  launchOptions: async ({}, use) => {
    await use(launchOptions());
  },
  media: async ({}, use) => {
    const media = await serveFaulty(path.dirname(ensureClip()));
    await use(media);
    await media.close();
  },
  network: async ({}, use) => {
    const network = createFakeTransport({ state: 'multipath', reason: 'Two paths.' });
    network.setNowMs(5_000_000);
    await use(network);
  },
  log: async ({}, use) => {
    await use([]);
  },
  agent: async ({ network, log }, use, testInfo) => {
    const logs = sessionLogs(
      (session) => testInfo.outputPath(`session-${session}.jsonl`),
      (file) => openSeenLog(file, log),
    );
    const agent = await startAgent({
      pageDir: path.join(root, 'dist/page'),
      createTransport: () => viewOf(network),
      openLog: logs.open,
    });
    await use(agent);
    await agent.close();
    logs.expectWhole();
  },
  open: async ({ page, agent, media }, use) => {
    await use(async (parameters = {}, feed = true) => {
      const all = { mpd: `${media.origin}/stream.mpd`, autoplay: '1', ...parameters };
      const plain = `${agent.origin}/#${new URLSearchParams(all).toString()}`;
      await page.goto(feed ? agent.pageUrl(all) : plain);
      return page;
    });
  },
});

export { expect } from '@playwright/test';
