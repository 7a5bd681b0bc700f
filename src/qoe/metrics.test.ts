import { readFileSync } from 'node:fs';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { describe, expect, test } from 'vitest';
import { summarize } from '.';
import { syntheticLog } from '../journal/testing/synthetic-log';
import { defineMetric } from './define-metric';
import { SESSION_METRICS } from './metric-table';
import { sessionMetrics } from './metrics';

const events = syntheticLog({ paths: [{ id: 'wifi', rateBps: 4e6, rttMs: 25 }], seconds: 30 });

describe('metrics of a session', () => {
  test('docs/results.md lists them as they are defined (npx vitest run -u src/qoe writes it)', async () => {
    const file = path.join(import.meta.dirname, '../../docs/results.md');
    const [before, after] = readFileSync(file, 'utf8').split(/^\| Name +\| Metric[^]*?\n\n/m);
    const rows = SESSION_METRICS.map((one) => {
      const star = one.headline ? '\\*' : '';
      return `| \`${one.name}\`${star} | ${one.label} | ${one.unit} | ${one.better} | ${one.definition} |`;
    });
    const head = ['| Name | Metric | Unit | Better | Definition |', '|-|-|-|-|-|'];
    const text = [before, [...head, ...rows].join('\n'), '\n\n', after].join('');
    const options = await resolveConfig(file);
    await expect(await format(text, { ...options, parser: 'markdown' })).toMatchFileSnapshot(file);
  });

  test('a session has every metric except those of absent parts: audio, live, byte ranges, frame counts', () => {
    const silent = sessionMetrics(events, summarize(events)).filter(({ value }) => value === null);
    for (const { metric } of silent) {
      expect(metric.name).toMatch(
        /audio|live|droppedFrameRatio|videoBuffer|twiceShare|unreadShare/i,
      );
    }
  });

  test('goodput excludes abandoned requests, throughput does not', () => {
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

  test('an empty log has no number except counts', () => {
    const counted = sessionMetrics([], summarize([])).filter(({ value }) => value !== null);
    expect(counted.every(({ value }) => value === 0)).toBe(true);
    expect(counted.map(({ metric }) => metric.name)).not.toContain('stalls');
  });

  test('a name appears once', () => {
    const names = SESSION_METRICS.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });

  test('a definition without a name, a label or a text is refused', () => {
    const good = { name: 'x', label: 'X', unit: '1', better: 'none', definition: 'x' } as const;
    const compute = (): number => 1;
    expect(defineMetric({ ...good, compute }).headline).toBe(false);
    for (const bad of [{ name: 'a b' }, { label: '' }, { definition: '' }]) {
      expect(() => defineMetric({ ...good, compute, ...bad })).toThrow(/metric "/);
    }
  });
});
