import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { LogEvent, PathControlReport } from '../session-log';
import { summarize } from '../qoe';
import { decisionText, explainDecisions, renderReport } from '.';

/**
 * A real session, reduced to its paths: 5 Mbit/s and 10 ms beside 600 kbit/s, 150 ms and 1 % loss, policy
 * single-best.
 */
const real = readFileSync(new URL('testing/path-decisions.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as LogEvent);

const report = (more: Partial<PathControlReport>): LogEvent => ({
  type: 'path-control',
  monotonicMs: 1000,
  report: {
    capability: { available: true, through: 'direct' },
    paths: [],
    refusals: [],
    ...more,
  },
});

describe('path decisions for a viewer', () => {
  it('lists a real session in order, with the reason and the bytes of each path', () => {
    const lines = explainDecisions(real);
    const decided = real.filter((event) => event.type === 'path-decision');
    expect(lines.filter(({ kind }) => kind === 'decision')).toHaveLength(decided.length);
    const demoted = lines.filter(({ what }) => what.includes('keeps in reserve path2')).at(-1);
    expect(demoted?.reason).toBe(decided.at(-1)?.reason);
    const carried = Object.fromEntries(
      (demoted?.carried ?? []).map(({ pathId, bytes }) => [pathId, bytes]),
    );
    expect(carried['path1']).toBeGreaterThan(10 * (carried['path2'] ?? 0));
    expect(decisionText(lines[0] ?? never())).toMatch(/^\d+\.\d s {2}uses path1/);
    // Every byte is counted exactly once.
    const explained = lines
      .flatMap((line) => line.carried)
      .reduce((sum, { bytes }) => sum + bytes, 0);
    const all = summarize(real).paths.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(explained).toBeLessThanOrEqual(all);
    expect(explained).toBeGreaterThan(0.9 * all);
  });

  it('lists a wanted path without a subflow as waiting, then as joined', () => {
    const decided = (monotonicMs: number, paths: string[]): LogEvent => ({
      type: 'path-decision',
      monotonicMs,
      policy: 'model',
      desired: ['wlan0', 'wwan0'].map((pathId) => ({ pathId, state: 'active' })),
      forecast: {
        ...{ rateBps: 0, safeRateBps: 0, confidence: 0, basis: 'paths' },
        paths: paths.map((pathId) => ({ pathId, rateBps: 0, safeRateBps: 0, usable: true })),
      },
      reason: 'why',
    });
    const joined = (monotonicMs: number, pathId: string): LogEvent => ({
      type: 'path',
      monotonicMs,
      event: { kind: 'subflow-established', monotonicMs, pathId, detail: '' },
    });
    const events = [decided(0, ['wlan0']), joined(100, 'wwan0'), joined(500, 'wwan0')];
    expect(explainDecisions(events).map(decisionText)).toEqual([
      '0.0 s  uses wlan0; waits for wwan0: why (then nothing)',
      '0.1 s  wwan0 has joined (then nothing)',
    ]);
  });

  it('appears on the page, escaped', () => {
    const assets = { clientJs: '', clientCss: '', nonce: 'bm9uY2Utbm9uY2U=' };
    const evil = real.map((event) =>
      event.type === 'path-decision' ? { ...event, reason: '<b>why</b>' } : event,
    );
    const html = renderReport([{ name: 'a', events: evil, summary: summarize(evil) }], assets);
    expect(html).toContain('keeps in reserve path2');
    expect(html).toContain('&lt;b&gt;why');
    expect(html).not.toContain('<b>why');
  });

  it('reports refused changes and spontaneous events once', () => {
    const refusal = {
      pathId: 'lte',
      state: 'closed' as const,
      code: 'FOREIGN',
      reason: 'not ours',
    };
    const lines = explainDecisions([
      report({ sequence: 1, refusals: [refusal] }),
      report({ sequence: 2, refusals: [refusal] }),
      report({ sequence: 3, detail: 'lte is backup' }),
      report({ detail: 'lte was lost: its subflows are closed' }),
      report({ capability: { available: false, reason: 'install the helper' } }),
    ]);
    expect(lines.map(({ kind, what, reason }) => [kind, what, reason])).toEqual([
      ['refused', 'could not leave lte', 'not ours'],
      ['happened', 'lte was lost: its subflows are closed', ''],
      ['refused', 'cannot choose paths', 'install the helper'],
    ]);
  });

  it('is empty for a session without path changes', () => {
    expect(explainDecisions([])).toEqual([]);
  });
});

function never(): never {
  throw new Error('no decision was explained');
}
