import { expect, it } from 'vitest';
import { Pipelining } from './pipelining';

it('asks again where a connection ends, and without lines if that is frequent', () => {
  const pipelining = new Pipelining();
  expect(pipelining.mostRequests(0)).toBe(1);
  pipelining.persists();
  expect(pipelining.mostRequests(0)).toBeGreaterThan(1);
  pipelining.ended(0);
  pipelining.ended(0);
  for (let count = 0; count < 20; count += 1) pipelining.answered();
  pipelining.ended(0);
  expect(pipelining.mostRequests(0)).toBeGreaterThan(1);
  pipelining.ended(0);
  pipelining.ended(0);
  expect(pipelining.mostRequests(59_999)).toBe(1);
  expect(pipelining.mostRequests(60_000)).toBeGreaterThan(1);
  pipelining.unanswered(60_000);
  expect(pipelining.mostRequests(179_999)).toBe(1);
  expect(pipelining.mostRequests(180_000)).toBeGreaterThan(1);
});
