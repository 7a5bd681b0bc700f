import { expect, test } from 'vitest';
import { parseNetworkLog, queueIntervals } from './network-log';

const direction = (packets: number, rateBps: number | null): object => ({
  rateBps,
  queueDelayMeanUs: 5000,
  outPackets: packets,
  outBytes: packets * 1000,
  inPackets: packets + 1,
  queueDrops: 1,
});

const line = (monotonicMs: number, packets: number): string =>
  JSON.stringify({
    monotonicMs,
    links: [
      { name: 'r1-r3', ab: direction(packets, 8e6), ba: direction(packets, 8e6) },
      // No limit.
      { name: 'h1-r1', ab: direction(packets, null), ba: direction(0, null) },
    ],
  });

test('reads links without a limit; counts torn lines except the last', () => {
  const log = parseNetworkLog(`${line(0, 10)}\n{"monoto\n${line(100, 30)}\n{"mon`);
  expect(log.badLines).toBe(1);
  const intervals = queueIntervals(log.samples, 0, 1000);
  expect(intervals.get('r1-r3')?.ab).toMatchObject([{ packets: 20, delayMs: 5, bytes: 20_000 }]);
  expect(intervals.get('h1-r1')?.ba).toMatchObject([{ packets: 0, delayMs: null }]);
});
