import { describe, expect, it } from 'vitest';
import { isNextDue } from './next-due';

describe('isNextDue', () => {
  it.each([
    ['with two thirds here, however slow', 600, 60_000, true],
    ['not before, where the rest takes a second', 400, 670, false],
    ['where the rest takes half a second', 400, 330, true],
    ['not by a rate that nobody has measured yet', 400, 20, false],
    ['not before the first bytes', 0, 0, false],
  ])('%s', (_, loadedBytes, elapsedMs, due) => {
    expect(isNextDue({ loadedBytes, totalBytes: 900, elapsedMs })).toBe(due);
  });

  it('is never due for a segment of unknown length', () => {
    expect(isNextDue({ loadedBytes: 100, totalBytes: NaN, elapsedMs: 1000 })).toBe(false);
  });
});
