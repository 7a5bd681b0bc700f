import { expect, it } from 'vitest';
import { FetchObject } from './fetch-object';
import { Flight } from './flight';
import { FlightBook } from './flight-book';
import { NetworkTally } from './network-tally';
import { OriginFacts } from './origin-book';

const request = { url: new URL('http://media/'), headers: {}, joinable: true };

function setUp() {
  const book = new FlightBook(new NetworkTally());
  const object = new FetchObject('o1', request, new OriginFacts(), 0);
  let chunkId = 0;
  const send = (networkId: string, sentMs: number): Flight => {
    chunkId += 1;
    const range = { start: 0, end: 1000, purpose: 'media', reason: '' } as const;
    const action = { kind: 'fetch', chunkId, objectId: object.id, networkId, ...range } as const;
    const flight = new Flight(object, action, sentMs);
    book.add(flight);
    return flight;
  };
  return { book, object, send };
}

it('counts the time in which a network has a request in flight', () => {
  const { book, send } = setUp();
  expect(book.awaitedMs('a', 0)).toBe(0);
  const first = send('a', 100);
  expect(book.awaitedMs('a', 250)).toBe(150);
  book.end(first, 300, 'done');
  expect(book.awaitedMs('a', 900)).toBe(200);
  const second = send('a', 1000);
  book.end(second, 1050, 'failed');
  expect(book.awaitedMs('a', 2000)).toBe(250);
});

it('counts the time of overlapping requests once', () => {
  const { book, send } = setUp();
  const first = send('a', 0);
  const second = send('a', 50);
  book.end(first, 100, 'done');
  expect(book.awaitedMs('a', 120)).toBe(120);
  book.end(second, 180, 'cancelled');
  expect(book.awaitedMs('a', 500)).toBe(180);
});

it('counts the time of each network separately', () => {
  const { book, send } = setUp();
  book.end(send('a', 0), 70, 'done');
  send('b', 30);
  expect([book.awaitedMs('a', 100), book.awaitedMs('b', 100)]).toEqual([70, 70]);
  expect([book.awaitedMs('a', 200), book.awaitedMs('b', 200)]).toEqual([70, 170]);
});

it('the time of a network is undefined while a slow reader holds its object back', () => {
  const { book, object, send } = setUp();
  send('a', 0);
  object.isHeldBack = true;
  expect([book.awaitedMs('a', 100), book.awaitedMs('b', 100)]).toEqual([undefined, 0]);
  object.isHeldBack = false;
  expect(book.awaitedMs('a', 200)).toBeDefined();
});
