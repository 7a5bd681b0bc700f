import { describe, expect, it } from 'vitest';
import { gatherBytes, Gathering } from './gathering';

describe('gatherBytes', () => {
  it.each([
    ['a network without a known rate', 0, 24_000, 1],
    ['a slow network', 5e6, 100_000, 1],
    ['a fast network', 40e6, 200_000, 15_000],
    ['a fast network that is near', 100e6, 40_000, 10_000],
  ])('for %s', (_, rateBps, windowBytes, bytes) => {
    expect(gatherBytes(rateBps, windowBytes)).toBe(bytes);
  });
});

describe('Gathering', () => {
  function follow(bytes: number, act: (gathering: Gathering) => void): number[] {
    const marks: number[] = [];
    act(new Gathering({ gather: (mark) => void marks.push(mark) }, bytes));
    return marks;
  }

  it('reads the end of an answer packet by packet', () => {
    const marks = follow(10_000, (gathering) => {
      gathering.begin('50000');
      for (const bytes of [10_000, 5000, 25_000, 10_000]) gathering.received(bytes);
      gathering.end();
    });
    expect(marks).toEqual([10_000, 1]);
  });

  it('stops gathering when an answer ends early', () => {
    const marks = follow(10_000, (gathering) => {
      gathering.begin('50000');
      gathering.end();
    });
    expect(marks).toEqual([10_000, 1]);
  });

  it.each([
    ['short', '35000', 10_000],
    ['of unknown length', undefined, 10_000],
    ['with a length that is no number', 'x', 10_000],
    ['of a slow network', '50000', 1],
  ])('gathers nothing of an answer that is %s', (_, length, bytes) => {
    expect(
      follow(bytes, (gathering) => {
        gathering.begin(length);
        gathering.end();
      }),
    ).toEqual([]);
  });
});
