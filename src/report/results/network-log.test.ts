import { expect, test } from 'vitest';
import type { Scenario } from '../../scenario';
import { parseNetworkLog, queueIntervals } from './network-log';
import { networkMetrics } from './network-metrics';

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

test('counts what was lost in outages, and has no delay where the log has none', () => {
  const side = (packets: number, stateDrops?: number): object => ({
    outPackets: packets,
    outBytes: packets * 1000,
    inPackets: packets + (stateDrops ?? 0),
    queueDrops: 0,
    stateDrops,
  });
  const lines = [0, 1].map((i) =>
    JSON.stringify({
      monotonicMs: i * 100,
      links: [{ name: 'wifi', ab: side(i * 500, i * 500), ba: side(i) }],
    }),
  );
  const { samples } = parseNetworkLog(lines.join('\n'));
  const wifi = queueIntervals(samples, 0, 1000).get('wifi');
  expect(wifi?.ab).toMatchObject([{ arrived: 1000, dropped: 500, delayMs: null }]);
  expect(wifi?.ba).toMatchObject([{ arrived: 1, dropped: 0 }]);
  const topology = { links: [{ id: 'wifi', a: 'c', b: 's' }] };
  const metrics = networkMetrics({ topology } as unknown as Scenario, samples, 0, 1000);
  const valueOf = (name: string) => metrics.find(({ metric }) => metric.name === name)?.value;
  expect(valueOf('dropRatio.wifi.ab')).toBe(0.5);
  expect(valueOf('queueDelayMeanMs.wifi.ab')).toBeNull();
});
