/* eslint-disable no-empty-pattern -- Playwright reads what a fixture needs from its pattern; some need nothing */
import path from 'node:path';
import { test as base, type Page } from '@playwright/test';
import { findBrowser } from '../../src/cli/browser';
import { createFakeTransport, type FakeTransport } from '../../src/ports/testing';
import type { LogEvent } from '../../src/qoe';
import { startAgent, type Agent } from '../../src/transport';
import { ensureClip } from '../support/clip';
import { root } from '../support/electron';
import { serveFaulty, type FaultyServer } from './faulty-server';

export interface PlayerFixtures {
  media: FaultyServer;
  /** The network behind the agent, in the test's hand. */
  network: FakeTransport;
  /** What reached the log, in its order. */
  log: LogEvent[];
  agent: Agent;
  /** Opens the player page with the clip; without `feed` as a plain web page. */
  open: (parameters?: Record<string, string>, feed?: boolean) => Promise<Page>;
}

/** The built player page in the browser the command line would use. */
export const test = base.extend<PlayerFixtures>({
  launchOptions: async ({}, use) => {
    await use({
      executablePath: findBrowser(),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--mute-audio',
        '--autoplay-policy=no-user-gesture-required',
      ],
    });
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
  agent: async ({ network, log }, use) => {
    const agent = await startAgent({
      pageDir: path.join(root, 'dist/page'),
      createTransport: () => network,
      openLog: () => ({ write: (event) => void log.push(event), close: () => Promise.resolve() }),
    });
    await use(agent);
    await agent.close();
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
