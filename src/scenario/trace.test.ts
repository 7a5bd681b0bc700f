import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TraceStep } from './link-spec';
import { parseTrace } from './trace';

const JSON_TRACE = `[
    {"duration_ms": 5000, "bandwidth_kbps": 1363.5, "latency_ms": 30},
    {"duration_ms": 250, "bandwidth_kbps": 0, "latency_ms": 100}
]`;

function lengthMs(steps: readonly TraceStep[]): number {
  return steps.reduce((sum, step) => sum + step.durationMs, 0);
}

function bits(steps: readonly TraceStep[]): number {
  return steps.reduce((sum, step) => sum + (step.durationMs / 1000) * step.rateBps, 0);
}

describe('parseTrace', () => {
  it('reads JSON, with the round trip as a delay only on request', () => {
    expect(parseTrace(JSON_TRACE, 't.json')).toEqual([
      { durationMs: 5000, rateBps: 1_363_500 },
      { durationMs: 250, rateBps: 0 },
    ]);
    const [first] = parseTrace(JSON_TRACE, 't.json', { followLatency: true });
    expect(first?.delayMs).toBe(15);
  });

  it('reads times and rates: each holds until the next, the last as long as its predecessor', () => {
    expect(parseTrace('# lte\n0 1000\n\n500, 0\n750 2000.5\n', 't.txt')).toEqual([
      { durationMs: 500, rateBps: 1_000_000 },
      { durationMs: 250, rateBps: 0 },
      { durationMs: 250, rateBps: 2_000_500 },
    ]);
  });

  it('reads tables with a header, semicolons or a byte order mark', () => {
    const steps = parseTrace('0 1000\n500 2000\n', 't.txt');
    expect(parseTrace('\uFEFFtime_ms;kbps\r\n0;1000\r\n500;2000\r\n', 't.csv')).toEqual(steps);
    expect(parseTrace(`\uFEFF${JSON_TRACE}`, 't.json')).toHaveLength(2);
  });

  it('refuses to follow a latency that no step has', () => {
    expect(() => parseTrace('0 1000\n', 't.txt', { followLatency: true })).toThrow(
      'latency: no step has "latency_ms"',
    );
  });

  it('reads mahimahi deliveries: one packet per line, sent by that millisecond', () => {
    expect(parseTrace('0\n1\n5\n5\n6\n6\n', 't.trace')).toEqual([
      { durationMs: 1, rateBps: 24e6 },
      { durationMs: 3, rateBps: 0 },
      { durationMs: 2, rateBps: 24e6 },
    ]);
    expect(parseTrace('10', 't.trace')).toEqual([
      { durationMs: 9, rateBps: 0 },
      { durationMs: 1, rateBps: 12e6 },
    ]);
  });

  it('keeps the length and every packet of any mahimahi trace', () => {
    const deliveries = fc.array(fc.nat({ max: 3_000 }), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(deliveries, (unsorted) => {
        const times = [...unsorted].sort((left, right) => left - right);
        const steps = parseTrace(times.join('\n'), 't');
        expect(lengthMs(steps)).toBe(Math.max(1, times.at(-1) ?? 0));
        expect(bits(steps)).toBeCloseTo(times.length * 12_000, 3);
      }),
    );
  });

  it.each([
    ['[]', 'line 1, trace: there are no steps'],
    ['', 'line 1, trace: there are no steps'],
    ['{"a": 1}', 'no steps'],
    ['[\n{"duration_ms": 5,]', 'JSON:'],
    ['[\n{"duration_ms": 5, "bandwidth_kbps": 1},\n{"duration_ms": 5}]', 'line 3, bandwidth_kbps'],
    ['[{"duration_ms": 5, "bandwidth_kbps": -1}]', 'line 1, bandwidth_kbps: -1'],
    ['[{"duration_ms": 0, "bandwidth_kbps": 1}]', 'line 1, duration_ms: 0'],
    ['[{"duration_ms": 5, "bandwidth_kbps": "1"}]', 'line 1, bandwidth_kbps'],
    ['[{"duration_ms": 5, "bandwidth_kbps": 1, "latency_ms": -5}]', 'line 1, latency_ms: -5'],
    ['[{"duration_ms": 5, "bandwidth_kbps": 0}]', 'every rate is 0'],
    ['0 1000\n500 -3\n', 'line 2, kbps: -3'],
    ['0 1000\n500 fast\n', 'line 2, column 2: "fast"'],
    ['0 1000\n500 1 2\n', 'line 2, columns: 3 numbers'],
    ['500 1000\n400 1000\n', 'line 2, t_ms: 400 does not follow 500'],
    ['0 4000\n1 4000\n2 3000\n', 'line 1, t_ms: most lines are 1 apart: times are in milliseconds'],
    ['1\n2\n1\n', 'line 3, t_ms: 1 is not between 2'],
    ['800\n500\n', 'lines of one number are times, not rates'],
    ['t,kbps\nt,kbps\n0,1\n', 'line 2, column 1: "t" is not a number'],
    [
      `[${'\n{"duration_ms": 5, "bandwidth_kbps": 1},'.repeat(30)}\n{"duration_ms": 5, "bandwidth_kbps": NaN}\n]`,
      'line 32, JSON:',
    ],
    ['1\n2.5\n', 'line 2, t_ms: 2.5 is not a whole number'],
    ['-1\n', 'line 1, t_ms: -1'],
    ['5\n'.repeat(8334), 'line 8334, t_ms: more than 8333 packets at 5: 100 Gbit/s is the most'],
  ])('refuses %j by file, line and field', (text, message) => {
    expect(() => parseTrace(text, 'bad.trace')).toThrow(message);
    expect(() => parseTrace(text, 'bad.trace')).toThrow(/^bad\.trace, line \d+, /);
  });

  it('gives steps the emulator accepts, or refuses, for any text', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.array(fc.double(), { maxLength: 6 }).map((numbers) => numbers.join('\n')),
      fc
        .array(fc.record({ duration_ms: fc.double(), bandwidth_kbps: fc.double() }))
        .map((steps) => JSON.stringify(steps)),
    );
    fc.assert(
      fc.property(texts, (text) => {
        try {
          for (const step of parseTrace(text, 't')) {
            expect(step.durationMs).toBeGreaterThanOrEqual(0.05);
            expect(step.rateBps).toBeGreaterThanOrEqual(0);
            expect(Number.isFinite(step.rateBps)).toBe(true);
          }
        } catch (error) {
          expect(error).toMatchObject({ code: 'BAD_TRACE' });
        }
      }),
    );
  });
});
