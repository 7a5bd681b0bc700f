import { beforeEach, describe, expect, it } from 'vitest';
import type { SampleBatch } from '../../core';
import { limits } from '../../ipc';
import type { PathRequest } from '../../ports';
import { createFakeClock, createFakePathControl, type FakePathControl } from '../../ports/testing';
import type { PathControlReport } from '../../session-log';
import { sharePathControl, UsedAddresses } from '../../path-control';
import { createPagePaths, type PagePaths } from './page-paths';

const REASON = 'install the helper';
const at = (address: string) => ({ address, port: 1 });
const batch = (...pathIds: string[]): SampleBatch => ({
  monotonicMs: 1,
  lostSamples: 0,
  connections: [
    {
      connectionId: 'm:1',
      kind: 'mptcp',
      local: at('10.0.0.1'),
      remote: at('10.0.0.9'),
      inOrderBytes: 0,
      subflows: pathIds.map((pathId, index) => ({
        subflowId: String(index),
        pathId,
        local: at(`10.0.${index}.1`),
        remote: at('10.0.0.9'),
        state: 'active',
        bytesReceived: 0,
      })),
    },
  ],
});

let control: FakePathControl;
let clock: ReturnType<typeof createFakeClock>;
let used: UsedAddresses;
let reports: PathControlReport[];

function openPage(): PagePaths {
  const shared = sharePathControl(control, used);
  return createPagePaths({ shared, clock, onReport: (report) => reports.push(report) });
}
/** The answer to a request. */
async function answer(sequence: number): Promise<Partial<PathControlReport>> {
  const find = () => reports.find((report) => report.sequence === sequence);
  await expect.poll(find).toBeDefined();
  return find() ?? {};
}

beforeEach(() => {
  control = createFakePathControl(['wlan0', 'wwan0']);
  clock = createFakeClock(0);
  used = new UsedAddresses();
  reports = [];
});

describe('the paths of a page', () => {
  it('reports the paths, and answers with the state in force', async () => {
    const page = openPage();
    await expect
      .poll(() => reports[0]?.paths.map(({ state }) => state))
      .toEqual(['active', 'active']);
    page.observe(batch('wlan0', 'wwan0'));
    page.request({ sequence: 4, paths: [{ pathId: 'wwan0', state: 'backup' }] });
    const report = await answer(4);
    expect(report.paths?.find(({ pathId }) => pathId === 'wwan0')).toMatchObject({
      state: 'backup',
      changed: true,
    });
    expect(report.refusals).toEqual([]);
    await page.close();
    expect((await control.list()).every(({ changed }) => !changed)).toBe(true);
  });

  it('touches only paths of the stream', async () => {
    const page = openPage();
    page.request({ sequence: 1, paths: [{ pathId: 'docker0', state: 'closed' }] });
    expect((await answer(1)).refusals).toMatchObject([{ code: 'NO_SUCH_PATH' }]);
    expect(control.calls).toEqual([]);
  });

  it('accepts a bounded rate of requests, and answers waiting ones with the newest', async () => {
    const page = openPage();
    page.observe(batch('wlan0', 'wwan0'));
    for (let sequence = 0; sequence < 200; sequence += 1) {
      const state = sequence % 2 === 0 ? 'backup' : 'active';
      page.request({ sequence, paths: [{ pathId: 'wwan0', state }] });
    }
    expect((await answer(199)).refusals).toMatchObject([{ code: 'TOO_MANY' }]);
    expect(control.calls.length).toBeLessThanOrEqual(2);
    clock.advance(1000);
    page.request({ sequence: 200, paths: [{ pathId: 'wwan0', state: 'backup' }] });
    expect((await answer(200)).refusals).toEqual([]);
  });

  it('adds the paths of a waiting request to a newer one', async () => {
    const page = openPage();
    page.observe(batch('wlan0', 'wwan0'));
    page.request({
      sequence: 1,
      paths: [
        { pathId: 'wlan0', state: 'backup' },
        { pathId: 'docker0', state: 'closed' },
      ],
    });
    page.request({ sequence: 2, paths: [{ pathId: 'wwan0', state: 'closed' }] });
    page.request({ sequence: 3, paths: [{ pathId: 'wwan0', state: 'backup' }] });
    expect((await answer(3)).refusals).toMatchObject([{ pathId: 'docker0' }]);
    expect(control.calls).toEqual([
      { pathId: 'wlan0', state: 'backup' },
      { pathId: 'wwan0', state: 'backup' },
    ]);
  });

  it('answers waiting requests for more paths than a report holds with the newest of them', async () => {
    const page = openPage();
    const request = (sequence: number): PathRequest => ({
      sequence,
      paths: Array.from({ length: limits.paths }, (_, index) => ({
        pathId: `p${sequence}-${index}`,
        state: 'backup',
      })),
    });
    page.request(request(1));
    page.request(request(2));
    const { refusals = [] } = await answer(2);
    expect(refusals).toHaveLength(limits.paths);
    expect(refusals[0]?.pathId).toBe('p2-0');
  });

  it('belongs to one page at a time', async () => {
    const shared = sharePathControl(control, used);
    const one = createPagePaths({ shared, clock, onReport: () => undefined });
    const two = createPagePaths({ shared, clock, onReport: (report) => reports.push(report) });
    one.request({ sequence: 1, paths: [{ pathId: 'wlan0', state: 'backup' }] });
    await expect.poll(() => control.calls.length).toBe(1);
    two.request({ sequence: 2, paths: [{ pathId: 'wlan0', state: 'active' }] });
    expect((await answer(2)).refusals).toMatchObject([{ code: 'BUSY' }]);
    await one.close();
    two.request({ sequence: 3, paths: [{ pathId: 'wwan0', state: 'backup' }] });
    expect((await answer(3)).refusals).toEqual([]);
    await two.close();
  });

  it('reports why nothing can be done without the privilege', async () => {
    control = createFakePathControl(['wlan0'], { available: false, reason: REASON });
    const page = openPage();
    await expect.poll(() => reports[0]?.capability).toEqual({ available: false, reason: REASON });
    page.request({ sequence: 1, paths: [{ pathId: 'wlan0', state: 'backup' }] });
    expect((await answer(1)).refusals).toMatchObject([{ code: 'DENIED' }]);
    await page.close();
  });

  it('lists the addresses of living MPTCP subflows', () => {
    const page = openPage();
    page.observe(batch('wlan0', 'wwan0'));
    expect([used.has('10.0.1.1'), used.has('10.0.7.1')]).toEqual([true, false]);
    page.observe(batch('wlan0'));
    expect(used.has('10.0.1.1')).toBe(false);
  });
});
