import { expect, it } from 'vitest';
import { GUESS_MARGIN } from '../chunks';
import { FetchObject } from './fetch-object';
import { OriginBook } from './origin-book';

it('a guessed length tempts nobody to fetch bytes that the reader’s window does not permit', () => {
  const facts = new OriginBook().of('http://192.0.2.1');
  facts.joined();
  const url = new URL('http://192.0.2.1/1.m4s');
  const request = { url, headers: {}, joinable: true, expectedBytes: 12_000_000 };
  const object = new FetchObject('o1', request, facts, 0);
  const limits = { windowBytes: 64_000_000, isBudgeted: false };
  const guessed = (): number => object.observe([], 0, limits).expectedBytes ?? Infinity;
  const furthest = GUESS_MARGIN * guessed();
  object.totalBytes = 12_000_000;
  const start = object.observe([], 0, limits).received[0]?.start ?? 0;
  expect(furthest).toBeLessThanOrEqual(start);
  expect(furthest).toBeGreaterThan(0.9 * start);
});
