/** Texts that a server chooses stay within what feed and log hold: a longer one would cost the whole message. */
import { expect, it } from 'vitest';
import { limits } from '../ipc';
import { recordOf } from './chunk-record';
import type { Flight } from './flight';
import { OriginBook } from './origin-book';

const LONG = 'x'.repeat(9000);

it('a request’s record is cut to the log’s limits', () => {
  const flight = {
    object: { request: { url: new URL(`http://h/${LONG}`) } },
    action: {
      chunkId: 1,
      objectId: '1',
      networkId: 'a',
      start: 0,
      end: 9,
      purpose: 'media',
      reason: '',
    },
  } as unknown as Flight;
  const ended = { sentMs: 0, endMs: 1, receivedBytes: 0, outcome: 'failed' } as const;
  const record = recordOf(
    flight,
    { ...ended, networkId: 'a' } as never,
    0,
    `unexpected answer ${LONG}`,
  );
  expect(record.url.length).toBeLessThanOrEqual(limits.urlChars);
  expect(record.failureReason?.length).toBeLessThanOrEqual(limits.textChars);
});

it('limits the reason of an excluded network, and the number of remembered origins', () => {
  const book = new OriginBook();
  for (let n = 0; n < 1000; n += 1)
    book.of(`http://${n}.example`).connectFailed('a', { reason: LONG }, 0);
  const exclusions = book.exclusions(['a'], 1);
  expect(exclusions.length).toBeLessThan(100);
  for (const { reason } of exclusions) expect(reason.length).toBeLessThan(400);
});
