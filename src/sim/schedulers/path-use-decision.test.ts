import { describe, expect, it } from 'vitest';
import { MinRtt } from './min-rtt';
import { PathUseDecision } from './path-use-decision';
import type { ConnectionState, SenderSubflow } from './scheduler';

const SEGMENT = 1250;

/** A subflow that sends `segments` per round trip of 10 ms: 1 segment is 1 Mbit/s. */
function subflow(index: number, segments: number, room = 1, change = {}): SenderSubflow {
  return {
    index,
    isUsable: true,
    isBackup: false,
    isStale: false,
    srttNs: 10e6 + index,
    minRttNs: 10e6,
    rttVarianceNs: 0,
    cwnd: segments,
    ssthresh: 100,
    inFlight: 0,
    room,
    queuedBytes: 0,
    pendingBytes: 0,
    sendBufferBytes: 1e6,
    pacingBps: 0,
    segmentBytes: SEGMENT,
    inRecovery: false,
    ...change,
  };
}

const at = (nowNs: number): ConnectionState => ({
  nowNs,
  unsentBytes: 1e6,
  windowBytes: 1e6,
  outstandingBytes: 0,
  bufferBytes: 1e6,
});

/** A connection does the same for each acknowledgement. */
function ask(
  decision: PathUseDecision,
  subflows: readonly SenderSubflow[],
  nowNs: number,
): number | undefined {
  decision.observe(subflows, nowNs);
  return decision.pick(subflows, at(nowNs))?.index;
}

/** Asks once per period; the first subflow is always full, so that the second one is taken if it may be. */
function run(
  decision: PathUseDecision,
  rates: readonly (readonly [number, number])[],
  from = 0,
): (number | undefined)[] {
  return rates.map(([one, other], step) =>
    ask(decision, [subflow(0, one, 0), subflow(1, other)], (from + step) * 1e8),
  );
}

const options = { samples: 3, rho: 0.6, periodNs: 1e8 };

describe('PathUseDecision', () => {
  it('excludes a subflow once it is measured and not above rho of the best', () => {
    const decision = new PathUseDecision(new MinRtt(), options);
    expect(
      run(decision, [
        [10, 6],
        [10, 6],
        [10, 6],
        [10, 6],
      ]),
    ).toEqual([1, 1, undefined, undefined]);
    const close = new PathUseDecision(new MinRtt(), options);
    expect(
      run(close, [
        [10, 6.1],
        [10, 6.1],
        [10, 6.1],
      ]),
    ).toEqual([1, 1, 1]);
  });

  it('averages over three and weighs the latest most', () => {
    // 4, 7, 10 become 4, 5.5, 7: (4 + 2 * 5.5 + 3 * 7) / 6 = 6, just not above 0.6 of 10.
    const rising = [4, 7, 10];
    const decision = new PathUseDecision(new MinRtt(), options);
    expect(
      run(
        decision,
        rising.map((rate) => [10, rate]),
      ).at(-1),
    ).toBeUndefined();
    const looser = new PathUseDecision(new MinRtt(), { ...options, rho: 0.59 });
    expect(
      run(
        looser,
        rising.map((rate) => [10, rate]),
      ).at(-1),
    ).toBe(1);
  });

  it('includes it again when the best one falls', () => {
    const decision = new PathUseDecision(new MinRtt(), options);
    run(decision, [
      [10, 5],
      [10, 5],
      [10, 5],
    ]);
    const later = run(
      decision,
      Array.from({ length: 8 }, () => [5, 5] as const),
      3,
    );
    expect(later[0]).toBeUndefined();
    expect(later.at(-1)).toBe(1);
  });

  it('takes and reports one sample per period, independent of the number of calls', () => {
    const reported: [number, number][] = [];
    const onSample = (index: number, rateBps: number): number => reported.push([index, rateBps]);
    const decision = new PathUseDecision(new MinRtt(), { ...options, onSample });
    for (const ns of [0, 1e7, 9.9e7, 1e8]) ask(decision, [subflow(0, 10)], ns);
    expect(reported).toEqual([
      [0, 10e6],
      [0, 10e6],
    ]);
  });

  it('never measures by a backup, and never excludes every subflow', () => {
    const decision = new PathUseDecision(new MinRtt(), options);
    const backup = { isBackup: true };
    for (let step = 0; step < 5; step += 1) {
      const all = [subflow(0, 100, 1, backup), subflow(1, 5)];
      expect(ask(decision, all, step * 1e8)).toBe(1);
    }
    const gone = new PathUseDecision(new MinRtt(), options);
    run(gone, [
      [10, 5],
      [10, 5],
      [10, 5],
    ]);
    expect(ask(gone, [subflow(1, 5)], 4e8)).toBe(1);
  });
});
