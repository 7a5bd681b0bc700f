import { expect, it } from 'vitest';
import type { CarriageReport, CarriedNetwork } from '../core';
import { sessionMetrics } from './metrics';
import { RangeBytesCounter } from './range-bytes';
import { summarize } from './summarize';

const network = (
  networkId: string,
  receivedBytes: number,
  duplicateBytes = 0,
  unreadBytes = 0,
): CarriedNetwork => ({
  networkId,
  health: 'healthy',
  rateBps: 0,
  rttMs: 0,
  receivedBytes,
  duplicateBytes,
  blockedBytes: 0,
  unreadBytes,
  requests: 1,
  failed: 0,
  cancelled: 0,
});
const report = (...networks: CarriedNetwork[]): CarriageReport => ({
  carriage: 'ranges',
  reason: '',
  networks,
  inOrderBytes: 0,
});

it('counts from the first report of the session, and keeps the bytes of a removed network', () => {
  const counter = new RangeBytesCounter();
  counter.add(report(network('wifi', 5000, 500), network('lte', 0)));
  counter.add(report(network('wifi', 7000, 600, 50), network('lte', 3000, 100)));
  counter.add(report(network('lte', 4000, 150)));
  expect(counter.sum()).toEqual({ received: 6000, twice: 250, unread: 50 });
});

it('is null for a session without byte ranges', () => {
  const counter = new RangeBytesCounter();
  expect(counter.sum()).toBeNull();
  counter.add(report(network('wifi', 5000)));
  expect(counter.sum()).toBeNull();
});

it('gives the shares of a session', () => {
  const events = [report(network('wifi', 0)), report(network('wifi', 10_000, 300, 800))].map(
    (one, index) => ({
      type: 'carriage' as const,
      monotonicMs: 1000 + index,
      report: one,
      chunks: [],
    }),
  );
  const summary = summarize(events);
  const values = new Map(
    sessionMetrics(events, summary).map(({ metric, value }) => [metric.name, value]),
  );
  expect(values.get('twiceShare')).toBeCloseTo(0.03);
  expect(values.get('unreadShare')).toBeCloseTo(0.08);
});
