import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { summarize } from '.';
import { syntheticLog } from '../report/testing/synthetic-log';
import { readMetrics, SESSION_METRICS } from './metric-table';
import { sessionMetrics } from './metrics';

const events = syntheticLog({ paths: [{ id: 'wifi', rateBps: 4e6, rttMs: 25 }], seconds: 30 });

describe('metrics of a session', () => {
  test('every one of them is defined in docs/results.md, as it is defined here', () => {
    const text = readFileSync(path.join(import.meta.dirname, '../../docs/results.md'), 'utf8');
    const rows = text.split('\n').map((line) => line.split('|').map((one) => one.trim()));
    for (const { name, label, unit, better, definition } of SESSION_METRICS) {
      const row = rows.find((one) => one[1]?.startsWith(`\`${name}\``));
      expect([name, ...(row?.slice(2, 6) ?? [])]).toEqual([name, label, unit, better, definition]);
    }
  });

  test('a session tells all but what it has not: audio, and frames that nobody counted', () => {
    const silent = sessionMetrics(events, summarize(events)).filter(({ value }) => value === null);
    for (const { metric } of silent) {
      expect(metric.name).toMatch(/audio|droppedFrameRatio|videoBuffer/i);
    }
  });

  test('goodput leaves out what was given up, throughput does not', () => {
    const given = events.map((event) =>
      event.type === 'request' && event.segmentIndex === 3
        ? { ...event, outcome: 'abandoned' as const }
        : event,
    );
    const of = (log: typeof events, name: string): number =>
      sessionMetrics(log, summarize(log)).find(({ metric }) => metric.name === name)?.value ?? NaN;
    expect(of(events, 'goodputBps')).toBeCloseTo(of(events, 'throughputBps'), 3);
    expect(of(given, 'goodputBps')).toBeLessThan(of(given, 'throughputBps'));
  });

  test('an empty log tells no number but those it can count', () => {
    const told = sessionMetrics([], summarize([])).filter(({ value }) => value !== null);
    expect(told.every(({ value }) => value === 0)).toBe(true);
    expect(told.map(({ metric }) => metric.name)).not.toContain('stalls');
  });

  test('a line that is no definition is refused', () => {
    expect(() => readMetrics('trial.json', 'x | X | miles | lower | far')).toThrow(
      /x \| X \| miles/,
    );
  });
});
