import { expect, it } from 'vitest';
import { Pipelining, staysOpen } from './pipelining';

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

it.each([
  [undefined, true],
  ['keep-alive', true],
  ['Close', false],
  ['keep-alive, close', false],
])('a connection with "Connection: %s" stays open: %s', (connection, stays) => {
  const headers: Record<string, string> = connection === undefined ? {} : { connection };
  expect(staysOpen({ status: 206, headers })).toBe(stays);
});
