import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { parseLogEvent } from '../../src/ipc';
import { summarize, type LogEvent } from '../../src/qoe';
import {
  defaultNetwork,
  expect,
  interfaceBytes,
  ofType,
  pathsOf,
  position,
  test,
} from './fixtures';
import { observation } from './observer';

/** Waits until the picture has come this far. */
async function playedTo(page: Page, seconds: number): Promise<void> {
  await expect.poll(() => position(page), { timeout: 90_000 }).toBeGreaterThan(seconds);
}

/** Heights on screen by the log: the first rung, then where each switch went. */
function loggedHeights(events: readonly LogEvent[]): number[] {
  const ladder = ofType(events, 'manifest')[0]?.ladders.find((one) => one.mediaType === 'video');
  const rungs = [
    ofType(events, 'player').find((event) => event.rung >= 0)?.rung,
    ...ofType(events, 'switch')
      .filter((event) => event.mediaType === 'video')
      .map((event) => event.toRung),
  ];
  return rungs.map((rung) => ladder?.rungs[rung ?? -1]?.height ?? -1);
}

test('plays over both paths; the log agrees with the kernel and with the picture', async ({
  open,
  page,
  events,
  logFile,
}) => {
  await open();
  await playedTo(page, 20);
  const seen = await observation(page);
  const onInterfaces = { path1: interfaceBytes('path1'), path2: interfaceBytes('path2') };
  await page.close();
  await expect.poll(() => events.at(-1)?.type).toBe('end');

  const summary = summarize(events);
  expect(summary.paths.map((path) => path.id)).toEqual(['path1', 'path2']);
  for (const path of summary.paths) {
    const counted = onInterfaces[path.id as keyof typeof onInterfaces];
    expect(path.bytes).toBeGreaterThan(100_000);
    // The interface counts headers as well, and what came after its last reading is missing.
    expect(path.bytes / counted).toBeGreaterThan(0.85);
    expect(path.bytes / counted).toBeLessThan(1.05);
  }
  expect(ofType(events, 'status').some(({ status }) => status.state === 'multipath')).toBe(true);

  expect(seen.frames).toBeGreaterThan(200);
  expect(loggedHeights(events).slice(0, seen.heights.length)).toEqual(seen.heights);
  expect(ofType(events, 'decision').some(({ forecast }) => forecast.basis === 'paths')).toBe(true);

  const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n');
  const parsed = lines.map((line) => parseLogEvent(JSON.parse(line)));
  expect(parsed.filter((line) => !line.ok)).toEqual([]);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ type: 'config' });
});

test.describe('on slow paths that fall silent', () => {
  test.use({ network: { ...defaultNetwork, paths: pathsOf('700kbit,20ms', '300kbit,40ms') } });

  test('logs the stall the viewer saw, and plays on', async ({ open, page, lab, events }) => {
    await open();
    await playedTo(page, 3);
    await Promise.all(lab.paths.map(({ id }) => lab.setLink(id, { state: 'blackhole' })));
    const frozen = (): Promise<boolean> =>
      page.evaluate(() => window.observerState?.frozenSinceMs !== undefined);
    await expect.poll(frozen, { timeout: 60_000 }).toBe(true);
    const stopped = await position(page);
    await Promise.all(lab.paths.map(({ id }) => lab.setLink(id, { state: 'up' })));
    await playedTo(page, stopped + 2);
    const seen = await observation(page);
    const stalls = ofType(events, 'stall').filter((event) => event.phase === 'end');
    const long = (ms: number | undefined): boolean => (ms ?? 0) > 300;
    const loggedMs = stalls.map((event) => event.durationMs ?? 0).filter(long);
    const seenMs = seen.freezesMs.filter(long);
    expect(seenMs.length).toBeGreaterThan(0);
    expect(loggedMs.length).toBe(seenMs.length);
    loggedMs.forEach((ms, index) => {
      expect(Math.abs(ms - (seenMs[index] ?? 0))).toBeLessThan(250);
    });
  });
});

test('a path that dies in mid-stream is left out at once, and playback goes on', async ({
  open,
  page,
  lab,
  events,
}) => {
  await open();
  await playedTo(page, 5);
  await lab.setLink('path2', { state: 'down' });
  const usable = (): boolean | undefined =>
    ofType(events, 'decision')
      .at(-1)
      ?.forecast.paths.find((path) => path.pathId === 'path2')?.usable;
  await expect
    .poll(() => ofType(events, 'path').map(({ event }) => `${event.kind} ${event.pathId ?? ''}`))
    .toContain('interface-down path2');
  await expect.poll(usable, { timeout: 30_000 }).toBe(false);
  await playedTo(page, (await position(page)) + 8);
  expect(ofType(events, 'error').filter((event) => event.fatal)).toEqual([]);
});

test.describe('over HTTPS with HTTP/2', () => {
  test.use({ network: { ...defaultNetwork, https: true } });

  test('uses both paths of one connection', async ({ open, page, events }) => {
    await open();
    await playedTo(page, 6);
    const protocol = await page.evaluate(
      () =>
        performance
          .getEntriesByType('resource')
          .find((entry): entry is PerformanceResourceTiming => entry.name.includes('.m4s'))
          ?.nextHopProtocol,
    );
    expect(protocol).toBe('h2');
    for (const path of summarize(events).paths) expect(path.bytes).toBeGreaterThan(100_000);
  });
});

for (const { name, network, state, says } of [
  {
    name: 'a server without MPTCP',
    network: { ...defaultNetwork, serverMptcp: false },
    state: 'fallback',
    says: 'MPTCP',
  },
  {
    name: 'net.mptcp.enabled=0',
    network: { ...defaultNetwork, clientMptcp: false },
    state: 'disabled',
    says: 'sysctl -w net.mptcp.enabled=1',
  },
  {
    name: 'a second path that is missing',
    network: { ...defaultNetwork, paths: pathsOf('5mbit,10ms') },
    state: 'single-subflow',
    says: 'path1',
  },
]) {
  test.describe(`with ${name}`, () => {
    test.use({ network });

    test('plays over one path and says so', async ({ open, page, events }) => {
      await open();
      await playedTo(page, 4);
      await expect
        .poll(() => ofType(events, 'status').at(-1)?.status.state, { timeout: 20_000 })
        .toBe(state);
      await expect(page.getByRole('status')).toContainText(says);
    });
  });
}
