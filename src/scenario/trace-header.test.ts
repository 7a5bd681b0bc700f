import { describe, expect, it } from 'vitest';
import { parseTrace } from './trace';
import { readHeader } from './trace-header';

describe('readHeader', () => {
  it.each([
    ['time_ms;kbps', 1, 1],
    ['time,bandwidth', 1, 1],
    ['t rate', 1, 1],
    ['time_s,mbps', 1000, 1000],
    ['Time (s),Throughput (Mbit/s)', 1000, 1000],
    ['"seconds","rate_mbit"', 1000, 1000],
    ['time_ms,bps', 1, 0.001],
    ['timeMs\tbits_per_second', 1, 0.001],
    ['timestamp;Gb/s', 1, 1e6],
    ['ms dl_bitrate', 1, 1],
    ['ms KBPS', 1, 1],
  ])('reads the units of %s', (header, msPerTime, kbpsPerRate) => {
    expect(readHeader(header, 2)).toEqual({ msPerTime, kbpsPerRate });
  });

  it.each([
    ['time_ms,MB/s', 2, /bytes/],
    ['time_ms,bytes', 2, /bytes/],
    ['time_ms,KiB/s', 2, /bytes/],
    ['time_ms,rtt_ms', 2, /no rate/],
    ['kbps,time_ms', 1, /is a rate/],
    ['time_us,kbps', 1, /take ms or s/],
  ])('refuses %s', (header, column, detail) => {
    const read = readHeader(header, 2);
    expect(read).toMatchObject({ column });
    expect('detail' in read && read.detail).toMatch(detail);
  });

  it('refuses rates and seconds in lines of one number, which are times of deliveries', () => {
    expect(readHeader('kbps', 1)).toMatchObject({ column: 1 });
    expect(readHeader('time_s', 1)).toMatchObject({ column: 1 });
    expect(readHeader('time_ms', 1)).toEqual({ msPerTime: 1, kbpsPerRate: 1 });
  });
});

describe('parseTrace with a header', () => {
  it('takes the units that it names', () => {
    expect(parseTrace('time_s,Mbps\n0,4.5\n0.5,2\n1,0\n', 't.csv')).toEqual([
      { durationMs: 500, rateBps: 4_500_000 },
      { durationMs: 500, rateBps: 2_000_000 },
      { durationMs: 500, rateBps: 0 },
    ]);
  });

  it('names the line of a header that it cannot read', () => {
    expect(() => parseTrace('# of a phone\ntime_ms;kB/s\n0;400\n', 't.csv')).toThrow(
      /^t\.csv, line 2, column 2: "kB\/s" are bytes/,
    );
    expect(() => parseTrace('kbps\n1000\n1000\n', 't.csv')).toThrow(/^t\.csv, line 1, column 1/);
  });
});
