import { expect, test } from 'vitest';
import { formatBitRate, formatBytes, formatDuration } from '.';

test.each([
  [0, '0 bit/s'],
  [999, '999 bit/s'],
  [999.9, '1.0 kbit/s'],
  [5_230_000, '5.2 Mbit/s'],
  [99_960_000, '100 Mbit/s'],
  [999_960_000, '1.0 Gbit/s'],
  [NaN, '? bit/s'],
])('%d bit/s reads %s', (rateBps, text) => {
  expect(formatBitRate(rateBps)).toBe(text);
});

test('formats bytes and durations for people', () => {
  expect(formatBytes(1_530_000)).toBe('1.5 MB');
  expect(formatDuration(830)).toBe('830 ms');
  expect(formatDuration(12_340)).toBe('12.3 s');
  expect(formatDuration(125_000)).toBe('2 min 5 s');
});
