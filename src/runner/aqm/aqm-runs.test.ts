import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { queuesOf } from './aqm-runs';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'mpd-aqm-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const lines = (rows: readonly object[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join('');

it('reads the queue delay of each second of the session from its logs', () => {
  const direction = (outPackets: number, delayMs: number): object => ({
    ...{ queueDelayMeanUs: delayMs * 1000, inPackets: outPackets, outPackets },
    ...{ outBytes: outPackets * 1000, queueDrops: 0, lossDrops: 0 },
  });
  const sample = (second: number, delayMs: number): object => {
    const [ab, ba] = [direction(second * 10, delayMs), direction(0, 0)];
    const links = [
      { name: 'r1-r3', ab, ba },
      { name: 'r2-r4', ab: direction(0, 0), ba },
    ];
    return { monotonicMs: 999 + second * 1000, links };
  };
  // Before, in and after a session from 1 to 3 s.
  writeFileSync(
    path.join(dir, 'network.jsonl'),
    lines([sample(0, 50), sample(1, 7), sample(2, 9), sample(3, 50)]),
  );
  writeFileSync(
    path.join(dir, 'session.jsonl'),
    lines([
      { type: 'stall', monotonicMs: 1000, phase: 'start' },
      { type: 'stall', monotonicMs: 3000, phase: 'end' },
    ]),
  );
  expect(queuesOf(dir)).toEqual({ 'r1-r3': [7, 9], 'r2-r4': [null, null] });
});
