import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emptyLedger, observeBatch, type LedgerInterval, type SampleBatch } from '.';
import { batch, connection, subflow } from './testing/samples';

function run(batches: SampleBatch[]): (LedgerInterval | undefined)[] {
  let ledger = emptyLedger;
  return batches.map((one) => {
    const result = observeBatch(ledger, one);
    ledger = result.ledger;
    return result.interval;
  });
}

describe('byte ledger', () => {
  test('sums a path over connections and reports differences', () => {
    const [, second] = run([
      batch(0, [
        connection([subflow('wifi', 10), subflow('lte', 5)]),
        connection([subflow('wifi', 100)], { connectionId: 'm:2' }),
      ]),
      batch(100, [
        connection([subflow('wifi', 30), subflow('lte', 6)]),
        connection([subflow('wifi', 150)], { connectionId: 'm:2' }),
      ]),
    ]);
    expect(second?.paths.get('wifi')).toMatchObject({ bytes: 70, measured: true, subflows: 2 });
    expect(second?.paths.get('lte')).toMatchObject({ bytes: 1, measured: true });
    expect(second?.inOrderBytes).toBe(71);
  });

  test('counts the bytes of a new connection without a rate', () => {
    const [, second] = run([batch(0, []), batch(100, [connection([subflow('wifi', 5_000_000)])])]);
    expect(second?.paths.get('wifi')).toMatchObject({ bytes: 5_000_000, measured: false });
  });

  test('treats a counter that goes back as restarted', () => {
    const [, second] = run([
      batch(0, [connection([subflow('wifi', 500)])]),
      batch(100, [connection([subflow('wifi', 20)])]),
    ]);
    expect(second?.paths.get('wifi')).toMatchObject({ bytes: 20, measured: false });
    expect(second?.inOrderBytes).toBe(0);
  });

  test('ignores a batch that is not newer', () => {
    const intervals = run([batch(100, []), batch(100, []), batch(50, []), batch(NaN, [])]);
    expect(intervals.slice(1)).toEqual([undefined, undefined, undefined]);
  });

  test('starts a new time after a clock reset, without losing bytes', () => {
    const at = (ms: number, bytes: number): SampleBatch =>
      batch(ms, [connection([subflow('wifi', bytes)])]);
    const [, , back, next] = run([at(1e9, 100), at(1e9 + 100, 200), at(500, 300), at(600, 450)]);
    expect(back).toMatchObject({ startMs: 500, endMs: 500, continuous: false });
    expect(back?.paths.get('wifi')?.bytes).toBe(100);
    expect(next).toMatchObject({ startMs: 500, endMs: 600, continuous: true });
    expect(next?.paths.get('wifi')).toMatchObject({ bytes: 150, measured: true });
  });

  test.each([1e300, 1e14, Infinity, NaN, -5])('ignores a counter of %d', (lie) => {
    const at = (ms: number, bytes: number, rcvRttUs = 20_000): SampleBatch =>
      batch(ms, [connection([subflow('wifi', bytes, { rcvRttUs })])]);
    const samples = [at(0, 1000), at(100, 2000), at(200, lie, lie), at(300, 4000), at(400, 5000)];
    const all = run(samples).map((interval) => interval?.paths.get('wifi'));
    expect(all[2]?.bytes).toBe(0);
    expect(all.slice(1).map((path) => path?.bytes)).toEqual([1000, 0, 2000, 1000]);
    expect(all[2]?.rcvRttMs).toBeUndefined();
    expect(all[4]).toMatchObject({ bytes: 1000, measured: true, rcvRttMs: 20 });
  });

  test('counts nothing twice if a dump misses a connection', () => {
    const intervals = run([
      batch(0, [connection([subflow('wifi', 100)])]),
      batch(100, []),
      batch(200, [connection([subflow('wifi', 130)])]),
    ]);
    expect(intervals[2]?.paths.get('wifi')?.bytes).toBe(30);
  });

  test('derives no rate over a suspend', () => {
    const [, second] = run([batch(0, []), batch(60_000, [])]);
    expect(second?.continuous).toBe(false);
  });

  test('counts bytes waiting at a connection’s first sample as out of order, not as duplicates', () => {
    const old = connection([subflow('wifi', 10)]);
    const young = (wifi: number, inOrderBytes: number) =>
      connection([subflow('wifi', wifi), subflow('lte', 20_000)], {
        connectionId: 'm:2',
        inOrderBytes,
      });
    const outOfOrder = run([
      batch(0, [old]),
      batch(100, [old, young(10_000, 10_000)]),
      batch(200, [old, young(15_000, 10_000)]),
      batch(300, [old, young(30_000, 50_000)]),
    ]).map((interval) => interval?.outOfOrderBytes);
    expect(outOfOrder).toEqual([0, 20_000, 25_000, 0]);
  });

  test('keeps out-of-order bytes until the gap is filled, and forgets duplicates', () => {
    const at = (ms: number, wifi: number, lte: number, inOrderBytes: number): SampleBatch =>
      batch(ms, [connection([subflow('wifi', wifi), subflow('lte', lte)], { inOrderBytes })]);
    const outOfOrder = run([
      at(0, 0, 0, 0),
      at(100, 1000, 0, 0),
      at(200, 2000, 0, 0),
      // The gap is filled; 300 bytes arrived twice.
      at(300, 2000, 500, 2200),
      ...Array.from({ length: 40 }, (_, i) => at(800 + i * 500, 2000, 500, 2200)),
    ]).map((interval) => interval?.outOfOrderBytes);
    expect(outOfOrder.slice(0, 4)).toEqual([0, 1000, 2000, 300]);
    expect(outOfOrder.at(-1)).toBe(0);
  });

  test('attributes out-of-order bytes to paths, per connection', () => {
    const at = (ms: number, wifi: number, lte: number, inOrderBytes: number): SampleBatch =>
      batch(ms, [
        connection([subflow('wifi', wifi), subflow('lte', lte)], { inOrderBytes }),
        connection([subflow('wifi', ms)], { connectionId: 'm:2' }),
      ]);
    const beyond = run([
      at(0, 1000, 0, 1000),
      at(100, 2000, 100, 2000),
      // The first connection waits for lte; the second one continues over wifi.
      at(200, 3000, 100, 2000),
      at(300, 4000, 110, 2000),
      at(400, 4000, 2110, 6110),
    ]).map((interval) => ['wifi', 'lte'].map((id) => interval?.paths.get(id)?.blockedBytes));
    expect(beyond).toEqual([
      [0, 0],
      // The out-of-order bytes are taken from the path that delivered more.
      [100, 0],
      [1100, 0],
      [2100, 10],
      [0, 0],
    ]);
  });

  test('tells what waits for a path connection by connection, and nothing waits for the last one', () => {
    const waiting = (lteState: 'active' | 'closed') =>
      run(
        [0, 100, 200, 300].map((ms) =>
          batch(ms, [
            // wifi holds 300 bytes after 100 ms, and lte owes the one before them.
            connection([subflow('wifi', 3 * ms), subflow('lte', 0, { state: lteState })], {
              inOrderBytes: 0,
            }),
            // 50 bytes over lte came twice: they hide nothing of the first connection.
            connection([subflow('wifi', ms / 2), subflow('lte', ms)], {
              connectionId: 'm:2',
              inOrderBytes: ms,
            }),
          ]),
        ),
      ).map((interval) => ['wifi', 'lte'].map((id) => interval?.paths.get(id)?.waitingBytes));
    expect(waiting('active')).toEqual([
      [0, 0],
      [50, 300],
      [100, 600],
      [150, 900],
    ]);
    expect(waiting('closed').at(-1)?.[1]).toBe(0);
  });

  test('tells duplicates by the in-order bytes of the path that seems to hold them', () => {
    // wifi holds 100 kB until lte has closed the gap with bytes that wifi brought too.
    const at = (wifi: number, lte: number, inOrderBytes: number) =>
      connection([subflow('wifi', wifi), subflow('lte', lte)], { inOrderBytes });
    const blocked = run([
      batch(0, [at(0, 0, 0)]),
      batch(100, [at(100_000, 0, 0)]),
      batch(200, [at(100_000, 50_000, 50_000)]),
      batch(300, [at(130_000, 50_000, 80_000)]),
      batch(400, [at(160_000, 50_000, 110_000)]),
      batch(500, [at(190_000, 50_000, 140_000)]),
      batch(600, [at(230_000, 50_000, 150_000)]),
    ]).map((interval) => interval?.paths.get('wifi')?.blockedBytes);
    expect(blocked).toEqual([0, 100_000, 100_000, 100_000, 100_000, 0, 30_000]);
  });

  test('keeps the attribution while reinjected bytes arrive in order', () => {
    const at = (ms: number, wifi: number, lte: number, inOrderBytes: number): SampleBatch =>
      batch(ms, [connection([subflow('wifi', wifi), subflow('lte', lte)], { inOrderBytes })]);
    const outOfOrder = run([
      at(0, 0, 0, 0),
      at(100, 1000, 0, 1000),
      // wifi owes the byte after the first 1000; lte reinjects 100 of them.
      at(200, 1000, 50_000, 1000),
      at(300, 1010, 50_100, 1110),
    ]).map((interval) => ['wifi', 'lte'].map((id) => interval?.paths.get(id)?.blockedBytes));
    expect(outOfOrder.slice(2)).toEqual([
      [0, 50_000],
      [0, 50_000],
    ]);
  });

  test('counts every byte exactly once under any sample loss', () => {
    const steps = fc.array(
      fc.record({
        wifi: fc.nat({ max: 1e6 }),
        lte: fc.nat({ max: 1e6 }),
        lost: fc.boolean(),
        ms: fc.integer({ min: 1, max: 3000 }),
      }),
      { minLength: 1, maxLength: 60 },
    );
    fc.assert(
      fc.property(steps, (list) => {
        let wifi = 0;
        let lte = 0;
        let nowMs = 0;
        let counted = 0;
        let ledger = emptyLedger;
        const see = (): void => {
          const result = observeBatch(
            ledger,
            batch(nowMs, [connection([subflow('wifi', wifi), subflow('lte', lte)])]),
          );
          ledger = result.ledger;
          for (const [, path] of result.interval?.paths ?? []) counted += path.bytes;
          expect(result.interval?.outOfOrderBytes ?? 0).toBe(0);
        };
        for (const step of list) {
          wifi += step.wifi;
          lte += step.lte;
          nowMs += step.ms;
          if (!step.lost) see();
        }
        nowMs += 1;
        see();
        expect(counted).toBe(wifi + lte);
      }),
    );
  });
});

describe('the time in which an answer was awaited', () => {
  const awaited = (ms: number, awaitedMs: number | undefined): SampleBatch =>
    batch(ms, [connection([subflow('wifi', 0, awaitedMs === undefined ? {} : { awaitedMs })])]);
  const partsOf = (batches: SampleBatch[]): (number | undefined)[] =>
    run(batches).map((interval) => interval?.paths.get('wifi')?.awaitedMs);

  test('is the part of each interval, and unknown for a new subflow', () => {
    expect(
      partsOf([awaited(0, 0), awaited(100, 60), awaited(200, 160), awaited(300, 160)]),
    ).toEqual([undefined, 60, 100, 0]);
  });

  test('is unknown after a counter that went back, vanished or is impossible', () => {
    expect(partsOf([awaited(0, 500), awaited(100, 20), awaited(200, 120)])).toEqual([
      undefined,
      undefined,
      100,
    ]);
    expect(partsOf([awaited(0, 0), awaited(100, undefined), awaited(200, 100)])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(partsOf([awaited(0, 0), awaited(100, NaN), awaited(200, -5)])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('is never longer than the interval', () => {
    expect(partsOf([awaited(0, 0), awaited(100, 1e9)])).toEqual([undefined, 100]);
  });
});
