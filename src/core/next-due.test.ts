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
    const progress = { loadedBytes, firstBytes: 0, totalBytes: 900, elapsedMs };
    expect(isNextDue(progress)).toBe(due);
  });

  it('counts no bytes that were here before the request', () => {
    const progress = { loadedBytes: 400, firstBytes: 380, totalBytes: 900, elapsedMs: 60 };
    expect(isNextDue(progress)).toBe(false);
    expect(isNextDue({ ...progress, firstBytes: 0 })).toBe(true);
  });

  it('is never due for a segment of unknown length', () => {
    expect(isNextDue({ loadedBytes: 100, firstBytes: 0, totalBytes: NaN, elapsedMs: 1000 })).toBe(
      false,
    );
  });
});
