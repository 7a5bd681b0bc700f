import path from 'node:path';
import type { Page } from '@playwright/test';
import { ensureDemoMedia, mptcpizeEnv } from '../../src/lab';
import { loadNative, monotonicClock } from '../../src/kernel';
import type { LogEvent } from '../../src/session-log';
import { createLinuxFeed, openCarriage, startAgent, type OpenCarriage } from '../../src/transport';
import { sessionLogs } from '../faults/whole-log';
import { launchApp, root } from '../support/electron';
import { readSessionLogs } from '../support/session-files';
import { appendedFiles, recordAppends, segmentNumbers } from './appended';
import { defaultNetwork, expect, interfaceBytes, ofType, position, test } from './fixtures';

const PLAYED_S = 8;
/**
 * Each network brings at least this much of the demo's first seconds, also at the lowest rungs of a slow machine. A
 * handshake and a probe bring less.
 */
const CARRIED_BYTES = 80_000;

/** Every buffer is a file of the server, and no segment is left out. */
async function expectWholeFiles(page: Page): Promise<void> {
  const { dir } = await ensureDemoMedia();
  const files = await appendedFiles(page, dir);
  expect(Object.keys(files).sort()).toEqual(['audio', 'video']);
  for (const names of Object.values(files)) {
    expect(names).not.toContain('?');
    const numbers = segmentNumbers(names);
    expect(numbers.length).toBeGreaterThan(PLAYED_S / 2 - 1);
    let newest = 0;
    for (const number of numbers) {
      // A segment may be fetched again at another rung, but none is skipped.
      expect(number).toBeLessThanOrEqual(newest + 1);
      newest = Math.max(newest, number);
    }
  }
}

function expectBothCarried(events: readonly LogEvent[], onInterfaces: readonly number[]): void {
  const report = ofType(events, 'carriage').at(-1)?.report;
  expect(report).toMatchObject({ carriage: 'ranges' });
  expect(report?.networks.map(({ networkId }) => networkId).sort()).toEqual(['path1', 'path2']);
  // From the first request on: the browser's own one waits for its network.
  const urls = ofType(events, 'carriage').flatMap(({ chunks }) => chunks?.map(({ url }) => url));
  expect(urls).toContainEqual(expect.stringContaining('manifest.mpd'));
  const bytes = (id: string): number =>
    report?.networks.find(({ networkId }) => networkId === id)?.receivedBytes ?? 0;
  ['path1', 'path2'].forEach((id, index) => {
    expect(bytes(id)).toBeGreaterThan(CARRIED_BYTES);
    // The interface counts headers and handshakes too.
    expect(bytes(id)).toBeLessThan(onInterfaces[index] ?? 0);
  });
}

const counted = (): number[] => ['path1', 'path2'].map(interfaceBytes);

test.use({ network: { ...defaultNetwork, serverMptcp: false } });

interface PageOverRanges {
  /** The requested carriage, and the use of MPTCP for the page's own sockets. */
  choice: 'auto' | 'ranges';
  overRanges: {
    carriage: OpenCarriage;
    events: LogEvent[];
    /** Opens the page, and begins to play. */
    start: () => Promise<void>;
  };
}

const inChromium = test.extend<PageOverRanges>({
  choice: ['ranges', { option: true }],
  overRanges: async ({ page, server, choice }, use, testInfo) => {
    const events: LogEvent[] = [];
    const carriage = await openCarriage({
      choice,
      addon: loadNative(),
      clock: monotonicClock,
      // The fixture's browser is preloaded.
      playerSpeaksMptcp: choice === 'auto',
      origin: server.url,
    });
    const logs = sessionLogs(() => testInfo.outputPath('session.jsonl'));
    const agent = await startAgent({
      pathControl: carriage.pathControl,
      pageDir: path.join(root, 'dist/page'),
      createTransport: () => carriage.feed(createLinuxFeed({ loadNative })),
      openLog: logs.open,
      onEvent: (event) => void events.push(event),
    });
    carriage.allowPage(agent.origin);
    const mpd = `${server.url}/manifest.mpd`;
    const start = async (): Promise<void> => {
      await page.goto(agent.pageUrl({ mpd, autoplay: '1' }));
    };
    await use({ carriage, events, start });
    await agent.close();
    await carriage.close();
    logs.expectWhole();
  },
});

inChromium.describe('a page in Chromium', () => {
  inChromium(
    'plays byte ranges of both networks: every segment equals the server’s file',
    async ({ page, overRanges: { events, start } }) => {
      await page.addInitScript(recordAppends);
      await start();
      await expect.poll(() => position(page), { timeout: 60_000 }).toBeGreaterThan(PLAYED_S);
      await expectWholeFiles(page);
      await page.close();
      await expect.poll(() => events.at(-1)?.type).toBe('end');
      expectBothCarried(events, counted());
    },
  );

  inChromium(
    'plays on over the browser’s own sockets when the gateway ends',
    async ({ page, server, overRanges: { carriage, events, start } }) => {
      await start();
      await expect.poll(() => position(page), { timeout: 60_000 }).toBeGreaterThan(1);
      await carriage.close();
      const direct: string[] = [];
      page.on('requestfinished', (request) => {
        if (request.url().startsWith(server.url)) direct.push(request.url());
      });
      await expect.poll(() => direct.length, { timeout: 60_000 }).toBeGreaterThan(3);
      const afterS = await position(page);
      await expect.poll(() => position(page), { timeout: 30_000 }).toBeGreaterThan(afterS + 2);
      await page.close();
      await expect.poll(() => events.at(-1)?.type).toBe('end');
      expect(ofType(events, 'error').map(({ message }) => message)).toContainEqual(
        expect.stringContaining('The gateway does not answer'),
      );
    },
  );
});

inChromium.describe('a page in Chromium, with a server that speaks MPTCP', () => {
  inChromium.use({ choice: 'auto', network: defaultNetwork });

  inChromium(
    'plays byte ranges of both networks, and leaves MPTCP alone',
    async ({ page, overRanges: { events, start } }) => {
      await start();
      await expect.poll(() => position(page), { timeout: 60_000 }).toBeGreaterThan(PLAYED_S);
      await page.close();
      await expect.poll(() => events.at(-1)?.type).toBe('end');
      expectBothCarried(events, counted());
      const kinds = ofType(events, 'carriage').map(({ report }) => report.carriage);
      expect(new Set(kinds)).toEqual(new Set(['ranges']));
    },
  );

  inChromium.describe('and sends no validators', () => {
    inChromium.use({ network: { ...defaultNetwork, etag: false } });

    inChromium(
      'leaves the stream to MPTCP, and plays on over both subflows',
      async ({ page, overRanges: { events, start } }) => {
        await start();
        const reports = () => ofType(events, 'carriage').map(({ report }) => report);
        await expect
          .poll(() => reports().at(-1)?.reason, { timeout: 60_000 })
          .toMatch(/^MPTCP over 2 subflows: .*validator/);
        const beforeS = await position(page);
        await expect.poll(() => position(page), { timeout: 60_000 }).toBeGreaterThan(beforeS + 4);
        const carried = () =>
          ofType(events, 'samples')
            .at(-1)
            ?.batch.connections.filter(({ kind }) => kind === 'mptcp')
            .flatMap(({ subflows }) => subflows)
            .filter(({ bytesReceived }) => bytesReceived > CARRIED_BYTES / 10)
            .map(({ pathId }) => pathId);
        await expect
          .poll(() => new Set(carried()), { timeout: 60_000 })
          .toEqual(new Set(['path1', 'path2']));
      },
    );
  });
});

test.describe('the desktop app, over HTTP/2 with an authority of its own', () => {
  test.use({ network: { ...defaultNetwork, https: true } });

  test('plays byte ranges of both networks: every segment equals the server’s file', async ({
    server,
  }, testInfo) => {
    const logDir = testInfo.outputPath('sessions');
    const app = await launchApp({
      logDir,
      env: { ...(await mptcpizeEnv()), NODE_EXTRA_CA_CERTS: server.tls?.caFile },
    });
    try {
      const { page } = app;
      await page.evaluate(recordAppends);
      await page.getByLabel('Address of a DASH manifest').fill(`${server.url}/manifest.mpd`);
      await page.keyboard.press('Enter');
      await expect.poll(() => position(page), { timeout: 60_000 }).toBeGreaterThan(PLAYED_S);
      await expectWholeFiles(page);
      await app.close();
      const [events = []] = readSessionLogs(logDir);
      expectBothCarried(events, counted());
    } finally {
      await app.close();
    }
  });
});
