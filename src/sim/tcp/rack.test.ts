import { describe, expect, it } from 'vitest';
import { Rack } from './rack';
import { SentList, type Sent } from './sent-list';

const MS = 1e6;
const RTT_NS = 40 * MS;

/** Sends segments of 1000 bytes at the given times, in ms. */
function send(list: SentList, timesMs: readonly number[]): Sent[] {
  return timesMs.map((ms, at) =>
    list.append({ bytes: 1000, dataSeq: at * 1000 }, at * 1000, ms * MS),
  );
}

describe('RACK', () => {
  it('finds a lost segment behind one that was sent again later', () => {
    const list = new SentList();
    const rack = new Rack();
    const [first, second, third] = send(list, [0, 10, 20, 30]);
    if (!first || !second || !third) throw new Error('no segments');
    list.markLost(first);
    list.markLost(second);
    list.markSent(first, 60 * MS);
    list.markSent(second, 100 * MS);
    const listener = { onArrival: (sent: Sent) => rack.onArrival(sent, 100 * MS, RTT_NS) };
    list.take(1000, [], listener);
    rack.detect(list, 110 * MS, RTT_NS, RTT_NS, true);
    expect(second.lost).toBe(false);
    expect(third.lost).toBe(true);
  });

  it('gives the time of the next check for a segment that may only be late', () => {
    const list = new SentList();
    const rack = new Rack();
    send(list, [5, 10]);
    list.take(0, [1000, 2000], {
      onArrival: (sent) => rack.onArrival(sent, 50 * MS, RTT_NS),
    });
    const againNs = rack.detect(list, 50 * MS, RTT_NS, RTT_NS, false);
    // A round trip and a quarter of one after it was sent.
    expect(againNs / MS).toBe(5 + 40 + 10);
    expect(rack.detect(list, againNs, RTT_NS, RTT_NS, false)).toBe(Infinity);
    expect(list.lost).toBe(1);
  });

  it('keeps the order of sending when a time-out was spurious', () => {
    const list = new SentList();
    const [first, second] = send(list, [0, 10, 20]);
    list.markAllLost();
    expect(list.oldest).toBe(undefined);
    if (!first || !second) throw new Error('no segments');
    list.markSent(first, 300 * MS);
    list.clearLost();
    expect(list.oldest).toBe(second);
    expect(list.inFlight).toBe(3);
    list.take(3000, [], { onArrival: () => undefined });
    expect(list.oldest).toBe(undefined);
    expect(list.inFlight).toBe(0);
  });
});
