import { describe, expect, it } from 'vitest';
import { makeFilm } from './film';

describe('makeFilm', () => {
  const sum = (bytes: readonly number[]): number => bytes.reduce((all, one) => all + one, 0);

  it('has each rung’s rate as mean, and the same busy scenes in all rungs', () => {
    const { video, audio, segmentMs } = makeFilm([1e6, 4e6], 2000, 50);
    const [low, high] = video;
    expect([segmentMs, audio.length, low?.bytes.length]).toEqual([2000, 0, 50]);
    expect(sum(low?.bytes ?? [])).toBeCloseTo(50 * 250_000, -3);
    expect(high?.bytes.every((bytes, i) => Math.abs(bytes - 4 * (low?.bytes[i] ?? 0)) <= 4)).toBe(
      true,
    );
    expect(new Set(low?.bytes).size).toBeGreaterThan(40);
  });

  it('is the same film for every start', () => {
    const bytes = (from: number): readonly number[] =>
      makeFilm([1e6], 1000, 20, from).video[0]?.bytes ?? [];
    expect(bytes(7)).toEqual([...bytes(0).slice(7), ...bytes(0).slice(0, 7)]);
  });
});
