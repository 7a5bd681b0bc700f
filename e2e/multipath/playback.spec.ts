import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { parseLogEvent } from '../../src/ipc';
import { summarize } from '../../src/qoe';
import type { LogEvent } from '../../src/session-log';
import {
  defaultNetwork,
  expect,
  interfaceBytes,
  ofType,
  pathsOf,
  position,
  setPath,
  test,
} from './fixtures';
import { nightly } from '../support/nightly';
import { observation, type Freeze } from './observer';

/** A busy machine freezes a picture for less, and delays both observers of a freeze. */
const LONG_MS = 1500;
const COVERED_SHARE = 0.7;

/** Waits until the playhead reaches a position. */
async function playedTo(page: Page, seconds: number): Promise<void> {
  await expect.poll(() => position(page), { timeout: 90_000 }).toBeGreaterThan(seconds);
}

/** Displayed heights by the log: the first rung, then the target of each switch. */
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

/** Stalls that have ended, by the wall clock. */
function loggedStalls(events: readonly LogEvent[]): Freeze[] {
  const [config] = ofType(events, 'config');
  const offsetMs = Date.parse(config?.startedAt ?? '') - (config?.monotonicMs ?? 0);
  return ofType(events, 'stall').flatMap(({ phase, monotonicMs, durationMs = 0 }) => {
    const endMs = monotonicMs + offsetMs;
    return phase === 'end' ? [{ startMs: endMs - durationMs, endMs }] : [];
  });
}

function overlapMs(a: Freeze, b: Freeze): number {
  return Math.min(a.endMs, b.endMs) - Math.max(a.startMs, b.startMs);
}

test('plays over both paths; the log agrees with the kernel and with the picture', async ({
  open,
  page,
  events,
  logFile,
}) => {
  await open();
  await playedTo(page, 7);
  const seen = await observation(page);
  const counted = (): Record<string, number> => ({
    path1: interfaceBytes('path1'),
    path2: interfaceBytes('path2'),
  });
  const before = counted();
  await page.close();
  await expect.poll(() => events.at(-1)?.type).toBe('end');
  const after = counted();

  const summary = summarize(events);
  expect(summary.paths.map((path) => path.id)).toEqual(['path1', 'path2']);
  for (const path of summary.paths) {
    expect(path.bytes).toBeGreaterThan(100_000);
    // The interface also counts headers. The log's last reading lies between the two here.
    expect(path.bytes).toBeGreaterThan(0.85 * (before[path.id] ?? Infinity));
    expect(path.bytes).toBeLessThan(after[path.id] ?? 0);
  }
  expect(ofType(events, 'status').some(({ status }) => status.state === 'multipath')).toBe(true);

  // A busy machine shows a few frames a second.
  expect(seen.frames).toBeGreaterThan(20);
  expect(loggedHeights(events).slice(0, seen.heights.length)).toEqual(seen.heights);
  expect(ofType(events, 'decision').some(({ forecast }) => forecast.basis === 'paths')).toBe(true);

  const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n');
  const parsed = lines.map((line) => parseLogEvent(JSON.parse(line)));
  expect(parsed.filter((line) => !line.ok)).toEqual([]);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ type: 'config' });
});

test.describe('on slow paths that go silent', () => {
  test.use({ network: { ...defaultNetwork, paths: pathsOf('700kbit,20ms', '300kbit,40ms') } });

  test('logs the stall that the viewer saw, and plays on', async ({ open, page, lab, events }) => {
    await open();
    await playedTo(page, 3);
    await Promise.all(['path1', 'path2'].map((path) => setPath(lab, path, 'blackhole')));
    const frozen = (): Promise<boolean> =>
      page.evaluate(
        (longMs) => Date.now() - (window.observerState?.frozenSinceMs ?? Infinity) > longMs,
        LONG_MS,
      );
    await expect.poll(frozen, { timeout: 60_000 }).toBe(true);
    const stopped = await position(page);
    await Promise.all(['path1', 'path2'].map((path) => setPath(lab, path, 'up')));
    await playedTo(page, stopped + 2);
    const { freezes } = await observation(page);
    const seen = freezes.filter((one) => one.endMs - one.startMs > LONG_MS);
    expect(seen.length).toBeGreaterThan(0);
    // One stall each. It may last longer: the picture can miss while the sound is back.
    const covering = (): number[] => {
      const logged = loggedStalls(events);
      return seen.map(
        (one) => logged.filter((stall) => overlapMs(stall, one) > LONG_MS / 3).length,
      );
    };
    const covered = (): boolean =>
      seen.every((one) =>
        loggedStalls(events).some(
          (stall) => overlapMs(stall, one) > COVERED_SHARE * (one.endMs - one.startMs),
        ),
      );
    await expect.poll(covered, { timeout: 60_000 }).toBe(true);
    expect(covering()).toEqual(seen.map(() => 1));
  });
});

test('excludes a path at once that dies in mid-stream, and plays on', async ({
  open,
  page,
  lab,
  events,
}) => {
  await open();
  await playedTo(page, 5);
  await setPath(lab, 'path2', 'down');
  const usable = (): boolean | undefined =>
    ofType(events, 'decision')
      .at(-1)
      ?.forecast.paths.find((path) => path.pathId === 'path2')?.usable;
  await expect
    .poll(() => ofType(events, 'path').map(({ event }) => `${event.kind} ${event.pathId ?? ''}`))
    .toContain('interface-down path2');
  await expect.poll(usable, { timeout: 30_000 }).toBe(false);
  await playedTo(page, (await position(page)) + 5);
  expect(ofType(events, 'error').filter((event) => event.fatal)).toEqual([]);
});

test.describe('over HTTPS with HTTP/2', () => {
  test.use({ network: { ...defaultNetwork, https: true } });

  test('uses both paths of one connection', nightly, async ({ open, page, events }) => {
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
  const variant = state !== 'fallback';
  test.describe(`with ${name}`, () => {
    test.use({ network });

    test(
      'plays over one path and says so',
      variant ? nightly : {},
      async ({ open, page, events }) => {
        await open();
        await playedTo(page, 4);
        await expect
          .poll(() => ofType(events, 'status').at(-1)?.status.state, { timeout: 20_000 })
          .toBe(state);
        await expect(page.getByRole('status')).toContainText(says);
      },
    );
  });
}
