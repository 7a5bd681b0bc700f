/* eslint-disable no-empty-pattern -- Playwright reads the required fixtures from the pattern; some require none */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test as base, type Page } from '@playwright/test';
import { findBrowser, mptcpEnv } from '../../src/runner/host';
import {
  buildNetwork,
  DEFAULT_PATHS,
  ensureDemoMedia,
  parsePathSpec,
  pathTopology,
  startMediaServer,
  type LabNetwork,
  type LinkState,
  type MediaServer,
  type PathSpec,
} from '../../src/lab';
import type { LogEvent } from '../../src/session-log';
import { createLinuxFeed, startAgent, type Agent } from '../../src/transport';
import { loadNative } from '../../src/kernel';
import { openSharedPathControl } from '../../src/path-control';
import type { CleanUpFixture } from '../faults/clean-up';
import { expectNothingLeft, stateOfMachine } from '../faults/left-behind';
import { sessionLogs } from '../faults/whole-log';
import { BROWSER_SWITCHES } from '../support/browser';
import { root } from '../support/electron';
import { installObserver } from './observer';

export interface NetworkOptions {
  paths: readonly PathSpec[];
  serverMptcp: boolean;
  clientMptcp: boolean;
  https: boolean;
  /** False: the server's answers cannot be joined. */
  etag?: boolean;
}

export interface MultipathFixtures extends CleanUpFixture {
  network: NetworkOptions;
  lab: LabNetwork;
  server: MediaServer;
  /** Every logged event, as it happens. */
  events: LogEvent[];
  /** Session log of the first page; later pages add `-2` and so on. */
  logFile: string;
  agent: Agent;
  /** Opens the player page with the demo stream and the observer. */
  open: (parameters?: Record<string, string>) => Promise<Page>;
}

export const defaultNetwork: NetworkOptions = {
  paths: DEFAULT_PATHS,
  serverMptcp: true,
  clientMptcp: true,
  https: false,
};

/** Paths in the demo's syntax: `5mbit,10ms`. */
export const pathsOf = (...specs: string[]): PathSpec[] => specs.map((spec) => parsePathSpec(spec));

/** Real kernel, real nginx, emulated paths; the test's own network namespace is the client. */
export const test = base.extend<MultipathFixtures>({
  network: [defaultNetwork, { option: true }],
  // Before `lab`: automatic fixtures start in this order, and end in the opposite one.
  cleanUp: [
    async ({}, use) => {
      const before = stateOfMachine();
      await use(undefined);
      await expectNothingLeft(before);
    },
    { auto: true },
  ],
  // First of all, so that its endpoints are the ones that path control restores at the end.
  lab: [
    async ({ network }, use) => {
      const lab = await buildNetwork(pathTopology(network.paths), {
        serverMptcp: network.serverMptcp,
        clientMptcp: network.clientMptcp,
      });
      await use(lab);
      await lab.close();
    },
    { auto: true },
  ],
  server: async ({ lab, network }, use) => {
    const media = await ensureDemoMedia();
    const server = await startMediaServer({
      ...lab.server,
      port: 8080,
      root: media.dir,
      etag: network.etag ?? true,
      ...(network.https ? { tls: { http2: true } } : {}),
    });
    await use(server);
    await server.stop();
  },
  // A browser per test: it must start in the network that it uses.
  page: async ({ playwright, server }, use) => {
    const browser = await playwright.chromium.launch({
      executablePath: findBrowser(),
      env: { ...process.env, ...mptcpEnv(() => {}) },
      args: [
        ...BROWSER_SWITCHES,
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
  agent: async ({ events, logFile }, use) => {
    const pathControl = await openSharedPathControl({ foreignEndpoints: 'suspend' });
    const logs = sessionLogs((session) => (session === 1 ? logFile : `${logFile}-${session}`));
    const agent = await startAgent({
      pathControl,
      pageDir: path.join(root, 'dist/page'),
      createTransport: () => createLinuxFeed({ loadNative }),
      openLog: logs.open,
      onEvent: (event) => void events.push(event),
    });
    await use(agent);
    await agent.close();
    await pathControl.close();
    logs.expectWhole();
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

/** Changes a path of the lab; resolves once the kernel acts on it. */
export const setPath = (lab: LabNetwork, path: string, state: LinkState): Promise<void> =>
  lab.apply({ kind: 'link-state', link: path, state });

/** Bytes received by an interface of this namespace, headers included, from the kernel's counter. */
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

/** Position of playback in seconds. */
export const position = (page: Page): Promise<number> =>
  page.evaluate(() => document.querySelector('video')?.currentTime ?? 0);

export { expect } from '@playwright/test';
