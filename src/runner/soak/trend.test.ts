import { describe, expect, it } from 'vitest';
import { createRandom } from '../../core';
import { theilSen, windowFloors } from './trend';

const MINUTE_MS = 60_000;
const series = (count: number, value: (minute: number) => number) =>
  Array.from({ length: count }, (_, minute) => ({
    atMs: minute * MINUTE_MS,
    value: value(minute),
  }));

describe('theilSen', () => {
  it('gives the slope an hour', () => {
    expect(theilSen(series(30, (minute) => 80 + minute / 30))).toMatchObject({
      perHour: expect.closeTo(2, 9) as number,
      low: expect.closeTo(2, 9) as number,
      high: expect.closeTo(2, 9) as number,
    });
  });

  it('is not moved by single jumps', () => {
    const jumps = series(30, (minute) => (minute % 7 === 0 ? 500 : 80));
    expect(theilSen(jumps)?.perHour).toBe(0);
  });

  it('has an interval around the true slope of noisy figures', () => {
    const random = createRandom(5);
    const trend = theilSen(series(40, (minute) => 80 + minute / 30 + 4 * (random() - 0.5)));
    expect(trend?.low).toBeLessThan(2);
    expect(trend?.high).toBeGreaterThan(2);
    expect(trend?.low).toBeLessThan(trend?.perHour ?? 0);
  });

  it('needs three points', () => {
    expect(theilSen(series(2, () => 1))).toBeUndefined();
  });
});

describe('windowFloors', () => {
  it('keeps the lower edge of a saw-tooth', () => {
    const teeth = series(20, (minute) => 50 + (minute % 5));
    expect(windowFloors(teeth, 5 * MINUTE_MS).map(({ value }) => value)).toEqual([50, 50, 50, 50]);
  });
});
