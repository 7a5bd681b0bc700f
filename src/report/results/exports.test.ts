import { expect, test } from 'vitest';
import { summarize } from '../../qoe';
import { syntheticLog } from '../../journal/testing/synthetic-log';
import { csvText } from './csv';
import { p1203Input } from './export-p1203';
import { pufferCsv } from './export-puffer';

const events = syntheticLog({ paths: [{ id: 'wifi', rateBps: 4e6, rttMs: 25 }], seconds: 20 });

test('CSV quotes by RFC 4180', () => {
  expect(
    csvText(
      ['a', 'b'],
      [
        ['x "y"', null],
        ['1,2', 0.1 + 0.2],
      ],
    ),
  ).toBe('a,b\r\n"x ""y""",\r\n"1,2",0.3\r\n');
});

test('transport samples: a row each, epoch in ns, rates from the receiver’s counter', () => {
  const [head, first, second] = pufferCsv(events, 'one').split('\r\n');
  expect(head).toMatch(/^time,session_id,path_id,/);
  // 2026-01-01T12:00:00.100Z
  expect(first).toMatch(/^17672688001\d{8},one,wifi,/);
  expect(Number(second?.split(',')[10])).toBeGreaterThanOrEqual(0);
});

test('P.1203: segments follow without gaps, the initial loading comes first', () => {
  const input = p1203Input(events, summarize(events));
  const { segments } = input.I13;
  expect(segments.length).toBeGreaterThan(3);
  for (const [i, segment] of segments.entries()) {
    expect(segment.start).toBeCloseTo(i * 2);
    expect(segment.bitrate).toBeGreaterThan(100);
  }
  expect(input.I23.stalling[0]?.[0]).toBe(0);
});
