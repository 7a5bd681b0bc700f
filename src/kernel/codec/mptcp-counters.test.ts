import { expect, it } from 'vitest';
import { mptcpCounters } from './mptcp-counters';

it('pairs the names of one line with the numbers of the next', () => {
  const text =
    'TcpExt: SyncookiesSent A\nTcpExt: 1 2\nMPTcpExt: MPCapableSYNTX Blackhole\nMPTcpExt: 3 1\n';
  expect([...mptcpCounters(text)]).toEqual([
    ['MPCapableSYNTX', 3],
    ['Blackhole', 1],
  ]);
});

it.each(['', 'MPTcpExt: A B', 'MPTcpExt: A B\nMPTcpExt: x', 'MPTcpExt: \nMPTcpExt: '])(
  'has no counter in %j',
  (text) => expect(mptcpCounters(text).get('A')).toBeUndefined(),
);
