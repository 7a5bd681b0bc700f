import { describe, expect, it } from 'vitest';
import { NextDue } from './next-due';

const TOTAL_BYTES = 900;

describe('NextDue', () => {
  it.each([
    ['with half of it here, however slow', 450, 60_000, true],
    ['not before, where the rest takes a second', 400, 670, false],
    ['where the rest takes half a second', 400, 330, true],
    ['not by a rate measured over too short a time', 400, 20, false],
    ['not before the first bytes', 0, 0, false],
  ])('%s', (_, loadedBytes, atMs, due) => {
    const stream = new NextDue();
    stream.isDue(1, { loadedBytes: 0, totalBytes: TOTAL_BYTES, atMs: 0 });
    expect(stream.isDue(1, { loadedBytes, totalBytes: TOTAL_BYTES, atMs })).toBe(due);
  });

  it('does not count bytes that arrived before the request', () => {
    const stream = new NextDue();
    stream.isDue(1, { loadedBytes: 380, totalBytes: TOTAL_BYTES, atMs: 0 });
    expect(stream.isDue(1, { loadedBytes: 400, totalBytes: TOTAL_BYTES, atMs: 60 })).toBe(false);
  });

  it('is due at the first bytes after a fast segment, until this one is measured as slow', () => {
    const stream = new NextDue();
    stream.isDue(1, { loadedBytes: 0, totalBytes: TOTAL_BYTES, atMs: 0 });
    stream.isDue(1, { loadedBytes: 900, totalBytes: TOTAL_BYTES, atMs: 100 });
    expect(stream.isDue(2, { loadedBytes: 10, totalBytes: TOTAL_BYTES, atMs: 130 })).toBe(true);
    expect(stream.isDue(2, { loadedBytes: 20, totalBytes: TOTAL_BYTES, atMs: 190 })).toBe(false);
  });

  it('is never due for a segment of unknown length', () => {
    const stream = new NextDue();
    expect(stream.isDue(1, { loadedBytes: 100, totalBytes: NaN, atMs: 0 })).toBe(false);
  });
});
