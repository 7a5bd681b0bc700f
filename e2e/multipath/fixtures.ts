/* eslint-disable no-empty-pattern -- Playwright reads what a fixture needs from its pattern; some need nothing */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test as base, type Page } from '@playwright/test';
import { findBrowser } from '../../src/cli/browser';
import { mptcpEnv } from '../../src/cli/mptcp-env';
import {
  createMultihomedLab,
  DEFAULT_PATHS,
  ensureDemoMedia,
  parsePathSpec,
  startMediaServer,
  type Lab,
  type MediaServer,
  type PathSpec,
} from '../../src/lab';
import type { LogEvent } from '../../src/qoe';
import {
  createLinuxFeed,
  loadNative,
  openJsonlLog,
  openSharedPathControl,
  startAgent,
  type Agent,
} from '../../src/transport';
import { root } from '../support/electron';
import { installObserver } from './observer';

export interface NetworkOptions {
  paths: readonly PathSpec[];
  serverMptcp: boolean;
  clientMptcp: boolean;
  https: boolean;
}

export interface MultipathFixtures {
  network: NetworkOptions;
  lab: Lab;
  server: MediaServer;
  /** Everything that goes to the log, as it happens. */
  events: LogEvent[];
  logFile: string;
  agent: Agent;
  /** Opens the player page with the demo stream, the observer in place. */
  open: (parameters?: Record<string, string>) => Promise<Page>;
}

export const defaultNetwork: NetworkOptions = {
  paths: DEFAULT_PATHS,
  serverMptcp: true,
  clientMptcp: true,
  https: false,
};

/** Paths as the demo takes them: `5mbit,10ms`. */
export const pathsOf = (...specs: string[]): PathSpec[] => specs.map((spec) => parsePathSpec(spec));

/** Real kernel, real nginx, emulated paths; the test's own network namespace is the client. */
export const test = base.extend<MultipathFixtures>({
  network: [defaultNetwork, { option: true }],
  lab: async ({ network }, use) => {
    const lab = await createMultihomedLab({
      paths: network.paths,
      serverMptcp: network.serverMptcp,
      clientMptcp: network.clientMptcp,
    });
    await use(lab);
    await lab.close();
  },
  server: async ({ lab, network }, use) => {
    const media = await ensureDemoMedia();
    const server = await startMediaServer({
      netns: lab.serverNetns,
      address: lab.serverAddress,
      port: 8080,
      root: media.dir,
      congestionControl: lab.congestionControl,
      ...(network.https ? { tls: { http2: true } } : {}),
    });
    await use(server);
    await server.stop();
  },
  // A browser of its own for each test: it must be born in the network it is to use.
  page: async ({ playwright, server }, use) => {
    const browser = await playwright.chromium.launch({
      executablePath: findBrowser(),
      env: { ...process.env, ...mptcpEnv(() => {}) },
      args: [
        '--disable-gpu',
        '--disable-quic',
        '--mute-audio',
        '--autoplay-policy=no-user-gesture-required',
        ...(server.tls ? [`--ignore-certificate-errors-spki-list=${server.tls.spkiSha256}`] : []),
      ],
    });
    await use(await browser.newPage());
    await browser.close();
  },
  events: async ({}, use) => {
    await use([]);
  },
  logFile: async ({}, use, testInfo) => {
    await use(testInfo.outputPath('session.jsonl'));
  },
  agent: async ({ events, logFile, lab }, use) => {
    // The lab is there first, so that its endpoints are what is put back at the end.
    const pathControl =
      lab.paths.length > 0
        ? await openSharedPathControl({ foreignEndpoints: 'suspend' })
        : undefined;
    const agent = await startAgent({
      pathControl,
      pageDir: path.join(root, 'dist/page'),
      createTransport: () => createLinuxFeed({ loadNative }),
      openLog: () => openJsonlLog(logFile),
      onEvent: (event) => void events.push(event),
    });
    await use(agent);
    await agent.close();
    await pathControl?.close();
  },
  open: async ({ page, agent, server }, use) => {
    await use(async (parameters = {}) => {
      await installObserver(page);
      const mpd = `${server.url}/manifest.mpd`;
      await page.goto(agent.pageUrl({ mpd, autoplay: '1', ...parameters }));
      return page;
    });
  },
});

/** Bytes an interface of this namespace has received, headers included, as the kernel counts them. */
export function interfaceBytes(name: string): number {
  const line = readFileSync('/proc/net/dev', 'utf8')
    .split('\n')
    .find((one) => one.trim().startsWith(`${name}:`));
  return Number(line?.split(':')[1]?.trim().split(/\s+/)[0] ?? Number.NaN);
}

/** Events of one type. */
export function ofType<T extends LogEvent['type']>(
  events: readonly LogEvent[],
  type: T,
): Extract<LogEvent, { type: T }>[] {
  return events.filter((event): event is Extract<LogEvent, { type: T }> => event.type === type);
}

/** Where playback is, in seconds. */
export const position = (page: Page): Promise<number> =>
  page.evaluate(() => document.querySelector('video')?.currentTime ?? 0);

export { expect } from '@playwright/test';
