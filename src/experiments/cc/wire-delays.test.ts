import { describe, expect, it } from 'vitest';
import { kernelControl } from './kernel';
import { kernelOutcome } from './kernel-outcome';
import { readWireRecord, wireDelays } from './wire-delays';

const LINKS = ['path1', 'path2'];
/** Data of the first path begins just before the sequence wraps. */
const BASE = 2n ** 32n - 1000n;

interface Sent {
  ms: number;
  link?: string;
  port?: number;
  /** Position of its first byte in the connection's data. */
  from: number;
  bytes?: number;
  /** Position of its first byte in the subflow's data. */
  into?: number;
}

const isn = (port: number): number => (port * 40_000) % 2 ** 32;
const seqOf = (port: number, into: number): number => (isn(port) + 1 + into) % 2 ** 32;

const syn = (link: string, port: number): string =>
  `0 ${link} ba in 5201 ${port} ${isn(port)} 0 - syn`;

/** A packet whose mapping begins 100 bytes before it, as a mapping of several packets does. */
function data({ ms, link = 'path1', port = 1, from, bytes = 1000, into = from }: Sent): string {
  const mapping = `${BASE + BigInt(from) - 100n}:${into + 1 - 100}:9000`;
  return `${ms * 1000} ${link} ba in 5201 ${port} ${seqOf(port, into)} ${bytes} 7 ${mapping}`;
}

const ack = (ms: number, upTo: number, link = 'path1', port = 1): string =>
  `${ms * 1000} ${link} ab out ${port} 5201 5 0 ${(BASE + BigInt(upTo)) % 2n ** 32n} -`;

const record = [
  syn('path1', 1),
  syn('path2', 2),
  // iperf3's own connection: little data over the same link.
  data({ ms: 90, port: 9, from: 5_000_000, bytes: 10 }),
  data({ ms: 100, from: 0 }),
  data({ ms: 101, link: 'path2', port: 2, from: 1000, into: 0 }),
  ack(150, 0, 'path2', 2),
  // The first packet again, later: it counts from its first time.
  data({ ms: 160, from: 0 }),
  ack(178, 2000),
  data({ ms: 180, from: 2000, into: 1000 }),
  ack(245, 3000),
].join('\n');

describe('delays from what was on the wire', () => {
  it('finds the download and its sequence, across the wrap', () => {
    const wire = readWireRecord(record, LINKS);
    expect(wire?.startUs).toBe(100_000);
    expect(wire?.sent.map(({ path, endSeq }) => [path, endSeq])).toEqual([
      [0, 1000],
      [1, 2000],
      [0, 1000],
      [0, 3000],
    ]);
    expect(wire?.acknowledged.map(({ seq }) => seq)).toEqual([0, 2000, 3000]);
    expect(readWireRecord(`${syn('path1', 1)}\n`, LINKS)).toBeUndefined();
    expect(readWireRecord('nonsense\n\n1 path1 ba', LINKS)).toBeUndefined();
  });

  it('takes the longest age at the acknowledgement, and the longest round trip off it', () => {
    const wire = readWireRecord(record, LINKS);
    if (wire === undefined) throw new Error('no download');
    const samples = Array.from({ length: 15 }, () => 40);
    const { protocolMs, holMs } = wireDelays(wire, [samples, samples.map(() => 50)], 150);
    // 78 ms over path 1 and 77 over path 2 until the last acknowledgement; then 65 and still 77.
    expect(protocolMs).toEqual([78, 78, 78, 78, 78, 78, 78, 77]);
    expect(holMs).toEqual([28, 28, 28, 28, 28, 28, 28, 27]);
  });

  it('gives the outcome of a run, or the reason for none', () => {
    const samples = Array.from({ length: 32 }, (_, index) => ({
      atUs: 95_000 + index * 5000,
      receivedBytes: index * 1000,
      srttMs: [70, index < 10 ? null : 48],
    }));
    const links = [
      { inPackets: 100, drops: 3 },
      { inPackets: 50, drops: 0 },
    ];
    const job = { paths: [{}, {}] as never, durationMs: 150, trial: 1 };
    const outcome = kernelOutcome(job, { samples, links, record, linkNames: LINKS });
    expect(outcome.goodputMeanBps).toBe((31_000 * 8000) / 150);
    expect(outcome.paths).toEqual([
      { srttMeanMs: 70, srttMaxMs: 70, dropsPerSecond: 20, dropRatio: 0.03 },
      { srttMeanMs: 48, srttMaxMs: 48, dropsPerSecond: 0, dropRatio: 0 },
    ]);
    const first = record.split('\n').filter((line) => !line.includes('path2'));
    const run = { samples, links, linkNames: LINKS };
    expect(() => kernelOutcome(job, { ...run, record: first.join('\n') })).toThrow('only 1 of the');
    expect(() => kernelOutcome(job, { ...run, record: '' })).toThrow('fell back');
    expect(() => kernelOutcome(job, { ...run, samples: [], record })).toThrow('no samples');
  });

  it('names each control as the kernel knows it', () => {
    expect(
      kernelControl({ kind: 'pair', coupled: 'wvegas', path: 'cubic', scope: 'per-path' }),
    ).toBe('mpd_wvegas_cp');
    expect(kernelControl({ kind: 'pair', coupled: 'lia', path: 'bbr', scope: 'total' })).toBe(
      'mpd_lia_bt',
    );
    expect(kernelControl({ kind: 'alone', name: 'olia' })).toBe('mpd_olia');
    expect(kernelControl({ kind: 'alone', name: 'reno' })).toBe('reno');
  });
});
