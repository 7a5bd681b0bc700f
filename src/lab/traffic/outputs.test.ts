import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { lostConnections, pacing, parseH2loadLog } from './h2load-log';
import { parseIperf } from './iperf-output';
import { alawByte } from './pcma-tone';
import { parseRtpMirror } from './rtp-mirror';
import { parseSippStatistics } from './sipp-output';
import { firstFreePort, openConnections, usedPorts } from './socket-table';

function captured(name: string): string {
  return readFileSync(new URL(`../testing/captured/${name}`, import.meta.url), 'utf8');
}

describe('parseIperf', () => {
  it('takes the bytes from the receiver and the time from the sender', () => {
    const result = parseIperf(captured('iperf3-sender.txt'), captured('iperf3-receiver.txt'));
    expect(result.goodputBps).toBeCloseTo((3_522_984 * 8) / 3.885044, 0);
    expect(result.congestionControl).toBe('cubic');
  });

  it('reads the first of several reports', () => {
    const receiver = `${captured('iperf3-receiver.txt')}{\n\t"end":\t{}\n}\n`;
    expect(parseIperf(captured('iperf3-sender.txt'), receiver).goodputBps).toBeGreaterThan(7e6);
  });

  it('sums the seconds of a receiver that missed the sender’s end', () => {
    const stream = (start: number, bytes: number): object => ({ start, end: start + 1, bytes });
    const receiver = {
      intervals: [
        { streams: [stream(0, 100_000), stream(0, 150_000)] },
        { streams: [stream(1, 50_000), stream(1, 200_000)] },
      ],
      end: {},
      error: 'interrupt - the server has terminated',
    };
    const result = parseIperf(captured('iperf3-sender.txt'), JSON.stringify(receiver));
    expect(result.goodputBps).toBeCloseTo(2e6, 3);
  });

  it('refuses truncated reports and those without measurements', () => {
    const sender = captured('iperf3-sender.txt');
    expect(() => parseIperf(sender.slice(0, 500), captured('iperf3-receiver.txt'))).toThrow();
    expect(() => parseIperf(sender, '{"end": {}}')).toThrow(/measured nothing/);
  });
});

describe('parseSippStatistics', () => {
  it('takes the counters of the last line', () => {
    expect(parseSippStatistics(captured('sipp-caller.csv'))).toEqual({
      started: 6,
      completed: 4,
      failed: 0,
    });
  });

  it('refuses a file without counters', () => {
    const header = captured('sipp-caller.csv').split('\n')[0] ?? '';
    expect(() => parseSippStatistics(`${header}\n`)).toThrow(/no TotalCallCreated/);
  });
});

describe('parseH2loadLog', () => {
  it('averages durations and ignores a truncated line', () => {
    const log = `${captured('h2load.tsv')}17952698\t20`;
    const answers = parseH2loadLog(log);
    expect(answers).toMatchObject({ completed: 40, refused: 0 });
    expect(answers.meanMs).toBeCloseTo(1.874325, 6);
    expect(answers.durationMs).toBeCloseTo((1795269810922447 + 1150 - 1795269808348622) / 1000, 3);
  });

  it('counts other statuses separately, and accepts an empty log', () => {
    expect(parseH2loadLog('1000\t404\t5000\n')).toMatchObject({ completed: 0, refused: 1 });
    expect(parseH2loadLog('')).toEqual({
      completed: 0,
      refused: 0,
      meanMs: 0,
      firstUnixMs: undefined,
      durationMs: 0,
    });
  });
});

describe('pacing and lost connections', () => {
  it.each([0.5, 1, 3, 15, 70, 333, 2500])('keeps %d a second within 1 %%', (rate) => {
    const { count, periodMs } = pacing(rate);
    expect(Number.isInteger(periodMs)).toBe(true);
    expect(Math.abs((count * 1000) / periodMs / rate - 1)).toBeLessThanOrEqual(0.01);
  });

  it('counts connections neither answered nor open, except one turn of the pacing', () => {
    const pace = { count: 1, periodMs: 100 };
    const answers = { completed: 5, refused: 1, meanMs: 1, firstUnixMs: 0, durationMs: 900 };
    expect(lostConnections(900, pace, answers, 3)).toBe(0);
    expect(lostConnections(900, pace, answers, 0)).toBe(4);
  });
});

describe('parseRtpMirror', () => {
  const source = { bytes: 160, firstMs: 0, lastMs: 1000, differences: 0, sumMs: 0 };

  it('reads the output of a real call', () => {
    const summary = parseRtpMirror(captured('rtp-mirror.jsonl'));
    expect(summary?.lossRatio).toBe(0);
    expect(summary?.jitterMs).toBeCloseTo(13.8176 / 4, 3);
  });

  it('counts gaps over all sources, past the wrap of sequence numbers', () => {
    const lines = [
      { ...source, received: 8, first: 65_530, highest: 65_539 },
      { ...source, received: 10, first: 0, highest: 9 },
    ];
    const summary = parseRtpMirror(lines.map((line) => JSON.stringify(line)).join('\n'));
    expect(summary?.lossRatio).toBeCloseTo(0.1, 9);
    expect(summary?.goodputBps).toBe(2560);
  });

  it('counts the packets lost before the first of a call, and calls without any', () => {
    const late = { ...source, received: 5, first: 5, highest: 9 };
    expect(parseRtpMirror(JSON.stringify(late))?.lossRatio).toBeCloseTo(0.5, 9);
    const whole = { ...source, received: 10, first: 0, highest: 9 };
    const two = [late, whole].map((line) => JSON.stringify(line)).join('\n');
    // 15 of 20 packets of the heard calls, and of 30 with a third call.
    expect(parseRtpMirror(two)?.lossRatio).toBeCloseTo(0.25, 9);
    expect(parseRtpMirror(two, 2)?.lossRatio).toBeCloseTo(0.25, 9);
    expect(parseRtpMirror(two, 3)?.lossRatio).toBeCloseTo(0.5, 9);
  });

  it('returns nothing without packets', () => {
    expect(parseRtpMirror('')).toBeUndefined();
  });
});

describe('socket tables', () => {
  const table = captured('proc-net-tcp.txt');

  it('lists local ports', () => {
    expect([...usedPorts(table)]).toEqual([2024, 0xabda, 0xe014, 0xe01a]);
  });

  it('counts open connections to a port, not listeners', () => {
    expect(openConnections(table, 443)).toBe(3);
    expect(openConnections(table, 0)).toBe(0);
  });

  it('skips ports in use, and whole pairs of them', () => {
    expect(firstFreePort(5201, new Set([5201, 5202]))).toBe(5203);
    expect(firstFreePort(6000, new Set([6002]), { count: 2, step: 4 })).toBe(6004);
    expect(firstFreePort(1, new Set([1, 2, 3]), { tries: 3 })).toBeUndefined();
  });
});

it.each([
  [0, 213],
  [-1, 85],
  [100, 211],
  [500, 202],
  [-1000, 122],
  [8000, 138],
  [32767, 170],
  [-32768, 42],
  [256, 197],
  [512, 245],
])('encodes %d as A-law like a reference encoder', (sample, byte) => {
  expect(alawByte(sample)).toBe(byte);
});
