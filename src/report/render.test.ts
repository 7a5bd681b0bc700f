import { describe, expect, test } from 'vitest';
import { summarize } from '../qoe';
import type { LogEvent } from '../session-log';
import { renderReport } from '.';
import { explainPaths } from './explain';
import { runData } from './run-data';
import { syntheticLog } from '../journal/testing/synthetic-log';

const assets = { clientJs: 'void 0;', clientCss: 'p{}', nonce: 'bm9uY2Utbm9uY2U=' };
const unlike = syntheticLog({
  paths: [
    { id: 'wifi', rateBps: 5e6, rttMs: 25 },
    { id: 'lte', rateBps: 0.6e6, rttMs: 300, drag: 2.2 },
  ],
});
const alike = syntheticLog({
  paths: [
    { id: 'wifi', rateBps: 3e6, rttMs: 25 },
    { id: 'lte', rateBps: 3e6, rttMs: 30 },
  ],
});

function run(name: string, events: readonly LogEvent[]) {
  return { name, events, summary: summarize(events) };
}

describe('report page', () => {
  test('contains its data, which can neither break out nor load anything', () => {
    const evil = '</script><script>alert(1)</script><img src=x onerror=alert(1)>';
    const events: LogEvent[] = unlike.map((event) =>
      event.type === 'decision' ? { ...event, reason: evil } : event,
    );
    events.push({ type: 'error', monotonicMs: 2e6, code: evil, message: evil, fatal: true });
    const html = renderReport([run(evil, events)], assets);
    expect(html.includes('<img')).toBe(false);
    expect(html.includes('<script>alert')).toBe(false);
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html).toMatch(/Content-Security-Policy" content="default-src 'none'/);
    expect(/<[^>]*\s(src|href)=/.test(html)).toBe(false);
    const json = /id="report-data"[^>]*>([^<]*)</.exec(html)?.[1] ?? '';
    expect(JSON.parse(json)).toHaveLength(1);
  });

  test('refuses a nonce that would weaken the policy', () => {
    expect(() => renderReport([], { ...assets, nonce: "x' 'unsafe-inline" })).toThrow(RangeError);
  });

  test('compares several runs by mean and interval', () => {
    const html = renderReport([run('a', unlike), run('b', alike)], assets);
    expect(html).toContain('Comparison');
    expect(html).toMatch(/Mean ± 95 %.*±/s);
  });

  test('renders an empty log', () => {
    expect(renderReport([run('empty', [])], assets)).toContain('No path was observed');
  });
});

describe('plot data', () => {
  test('of a log whose samples are of another time than their lines', () => {
    const apart = unlike.map((event) => ({ ...event, monotonicMs: event.monotonicMs + 1e15 }));
    const data = runData(apart);
    expect(data.pathMbps.flat().every((rate) => rate === 0)).toBe(true);
  });

  test('contains every byte of every path', () => {
    const data = runData(unlike);
    const { paths } = summarize(unlike);
    for (const [i, id] of data.pathIds.entries()) {
      const bytes =
        (data.pathMbps[i] ?? []).reduce((sum, mbps) => sum + mbps, 0) * data.binS * 125e3;
      const expected = paths.find((path) => path.id === id)?.bytes ?? NaN;
      // The very first sample has no interval.
      expect(bytes).toBeGreaterThan(expected * 0.97);
      expect(bytes).toBeLessThanOrEqual(expected * 1.001);
    }
  });

  test('keeps the number of bins small for long sessions', () => {
    const player = unlike.filter((event) => event.type === 'player');
    const long = [
      ...player,
      ...player.map((e) => ({ ...e, monotonicMs: e.monotonicMs + 4 * 36e5 })),
    ];
    expect(runData(long).atS.length).toBeLessThanOrEqual(1501);
  });

  test('extends an unfinished stall to the end of the log', () => {
    const first = unlike[0]?.monotonicMs ?? 0;
    const data = runData([
      ...unlike.slice(0, 1),
      { type: 'stall', monotonicMs: first + 1000, phase: 'start' },
      { type: 'status', monotonicMs: first + 5000, status: { state: 'idle', reason: '' } },
    ]);
    expect(data.stalls).toEqual([{ startS: 1, endS: 5 }]);
  });
});

describe('explanation', () => {
  test('reports that different paths slow each other down, because of the tail', () => {
    const explained = explainPaths(unlike, summarize(unlike));
    expect(explained.outcome).toBe('worse');
    expect(explained.pathRates.map(({ id }) => id)).toEqual(['wifi', 'lte']);
    expect(explained.pathRates[0]?.rateBps).toBeCloseTo(5e6, -5.7);
    expect(explained.slowTailShare).toBeGreaterThan(0.3);
    expect(explained.verdict).toContain('slower than wifi alone');
  });

  test('reports that similar paths help each other', () => {
    const explained = explainPaths(alike, summarize(alike));
    expect(explained.outcome).toBe('better');
    expect(explained.slowTailShare).toBeLessThan(0.2);
  });

  test('is empty for one path', () => {
    const one = syntheticLog({ paths: [{ id: 'wifi', rateBps: 5e6, rttMs: 25 }], seconds: 10 });
    expect(explainPaths(one, summarize(one)).verdict).toBeNull();
  });
});
