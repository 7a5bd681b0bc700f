import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DROPTAIL_BYTES } from '../scenario';
import { parsePathSpec } from './path-spec';

describe('parsePathSpec', () => {
  it('reads rate and delay, with no loss and the default queue', () => {
    expect(parsePathSpec('5000kbit,10ms')).toEqual({
      rateBps: 5_000_000,
      delayMs: 10,
      lossRatio: 0,
      queueBytes: DROPTAIL_BYTES,
    });
  });

  it('reads every unit, in any order', () => {
    expect(parsePathSpec('1%, 150ms ,0.6Mbit,q=120kB')).toEqual({
      rateBps: 600_000,
      delayMs: 150,
      lossRatio: 0.01,
      queueBytes: 120_000,
    });
    expect(parsePathSpec('64000bit,500us').delayMs).toBe(0.5);
    expect(parsePathSpec('1gbit,1s').delayMs).toBe(1000);
  });

  it('reads a queue discipline with its target, and jitter', () => {
    expect(parsePathSpec('5mbit,10ms,qdisc=pie,target=15ms,ecn')).toEqual({
      rateBps: 5_000_000,
      delayMs: 10,
      lossRatio: 0,
      queueBytes: 1_500_000,
      queue: { discipline: 'pie', targetMs: 15, ecn: true },
    });
    expect(parsePathSpec('5mbit,10ms,qdisc=droptail,jitter=2ms')).toEqual({
      ...parsePathSpec('5mbit,10ms'),
      jitter: { shape: 'uniform', spreadMs: 2 },
    });
    expect(parsePathSpec('5mbit,10ms,qdisc=fq_codel,q=90kB').queueBytes).toBe(90_000);
  });

  it.each([
    ['', 'neither'],
    ['5000kbit', 'delay is missing'],
    ['10ms', 'rate is missing'],
    ['5000,10ms', '"5000" is neither'],
    ['5000kbps,10ms', '"5000kbps" is neither'],
    ['5000kbit,10ms,20ms', 'delayMs is given twice'],
    ['5000kbit,10ms,101%', 'loss in percent'],
    ['5000kbit,-10ms', '"-10ms" is neither'],
    ['0kbit,10ms', 'rateBps 0'],
    ['5000kbit,11s', 'delayMs 11000'],
    ['5000kbit,10ms,q=1kB', 'queueBytes 1000'],
    ['5000kbit,10ms,q=', 'not a queue size'],
    ['5000kbit,10ms,q=5ms', 'not a queue size'],
    ['5000kbit,10ms,', '"" is neither'],
    ['5000kbit,10ms,qdisc=red', 'there are droptail, pie'],
    ['5000kbit,10ms,qdisc=pie,qdisc=pie', 'discipline is given twice'],
    ['5000kbit,10ms,target=15ms', 'target needs a qdisc'],
    ['5000kbit,10ms,ecn', 'ecn needs a qdisc'],
    ['5000kbit,10ms,qdisc=pie,target=15', 'not a time'],
    ['5000kbit,10ms,qdisc=pie,target=0ms', 'targetMs 0'],
    ['5000kbit,10ms,colour=red', 'there are q, qdisc'],
  ])('refuses "%s" naming the part', (text, message) => {
    expect(() => parsePathSpec(text)).toThrow(message);
  });

  it('restores any rate, delay and loss from its text', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.integer({ min: 0, max: 10_000 }),
        fc.integer({ min: 0, max: 100 }),
        (kbit, delayMs, percent) => {
          const spec = parsePathSpec(`${kbit}kbit,${delayMs}ms,${percent}%`);
          expect(spec.rateBps).toBe(kbit * 1000);
          expect(spec.delayMs).toBe(delayMs);
          expect(spec.lossRatio).toBeCloseTo(percent / 100, 12);
        },
      ),
    );
  });

  it('never accepts unbounded values', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          expect(Number.isFinite(parsePathSpec(text).rateBps)).toBe(true);
        } catch (error) {
          expect(error).toMatchObject({ code: 'BAD_OPTION' });
        }
      }),
    );
  });
});
