import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LogEvent } from '../../session-log';
import { isLogName, LogError, openCompactLog, openJsonlLog, readLog, tailFileOf } from '.';
import { readCompactLines } from './compact-text';
import { configEvent, stallEvent } from '../../session-log/testing/events';

const config = configEvent();
const events = [config, ...Array.from({ length: 100 }, (_, n) => stallEvent(n))];

let dir = '';
let file = '';
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'mpd-compact-'));
  file = path.join(dir, 'new', 'session.jsonl.gz');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('openCompactLog', () => {
  it('each line is readable when write returns, across folds', async () => {
    const log = openCompactLog(file, { blockBytes: 500 });
    for (const [index, event] of events.entries()) {
      log.write(event);
      expect(readLog(file)).toEqual({ events: events.slice(0, index + 1), errors: [] });
    }
    await log.close();
    await log.close();
    log.write(stallEvent(7));
    expect(readLog(file)).toEqual({ events, errors: [] });
    expect(existsSync(tailFileOf(file))).toBe(false);
  });

  it('is gzip that every tool reads, for its owner only', async () => {
    const log = openCompactLog(file, { blockBytes: 500 });
    for (const event of events) log.write(event);
    await log.close();
    const text = gunzipSync(readFileSync(file)).toString();
    expect(text).toBe(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it('a fold cut off at any step loses or doubles no line', () => {
    const log = openCompactLog(file, { blockBytes: 1e9 });
    for (const event of events) log.write(event);
    const tail = readFileSync(tailFileOf(file));
    void log.close();
    const whole = readFileSync(file);
    // The member is partly written.
    writeFileSync(tailFileOf(file), tail);
    for (let length = 0; length <= whole.length; length += 1) {
      copyFileSync(file, path.join(dir, 'cut.jsonl.gz'));
      truncateSync(path.join(dir, 'cut.jsonl.gz'), length);
      writeFileSync(tailFileOf(path.join(dir, 'cut.jsonl.gz')), tail);
      expect(readLog(path.join(dir, 'cut.jsonl.gz')).events).toEqual(events);
    }
    // The tail is empty, and its next header is partly written.
    for (const header of [
      '',
      '{"aft',
      `{"after":${whole.length}}`,
      `{"after":${whole.length}}\n`,
    ]) {
      writeFileSync(tailFileOf(file), header);
      expect(readLog(file)).toEqual({ events, errors: [] });
    }
  });

  it('accepts a torn last line, and a truncated copy', async () => {
    const log = openCompactLog(file);
    for (const event of events) log.write(event);
    truncateSync(tailFileOf(file), statSync(tailFileOf(file)).size - 5);
    expect(readLog(file)).toEqual({ events: events.slice(0, -1), errors: [], tornLine: 101 });
    await log.close();
    truncateSync(file, statSync(file).size - 20);
    const read = readLog(file);
    expect(read.errors).toEqual([]);
    expect(read.events).toEqual(events.slice(0, read.events.length));
  });

  it('names a log that is damaged, lacks its beginning, or exists', () => {
    const log = openCompactLog(file, { blockBytes: 500 });
    for (const event of events) log.write(event);
    expect(() => openCompactLog(file)).toThrow(LogError);
    truncateSync(file, 10);
    expect(() => readLog(file)).toThrow(/session\.jsonl\.gz cannot be read: \d+ bytes before/);
    rmSync(tailFileOf(file));
    writeFileSync(file, 'nonsense');
    expect(() => readLog(file)).toThrow(/session\.jsonl\.gz cannot be read: incorrect header/);
    void log.close();
  });

  it('refuses a log that unpacks to more than a session writes', () => {
    file = path.join(dir, 'bomb.jsonl.gz');
    const bomb = Array<Buffer>(20).fill(gzipSync(Buffer.alloc(1 << 20, ' ')));
    writeFileSync(file, Buffer.concat(bomb));
    expect(readCompactLines(file)).toHaveLength(20 << 20);
    expect(() => readCompactLines(file, 10 << 20)).toThrow(/more than 10485760 bytes; .* zcat/);
  });

  it('the minutes of a session over two paths take a tenth of the plain form', async () => {
    const plain = openJsonlLog(path.join(dir, 'plain.jsonl'));
    const compact = openCompactLog(file);
    for (const event of [config, ...sampled(6000)]) {
      plain.write(event);
      compact.write(event);
    }
    await plain.close();
    await compact.close();
    expect(readLog(file)).toEqual(readLog(plain.path));
    expect(statSync(file).size).toBeLessThan(statSync(plain.path).size / 10);
  });
});

describe('isLogName', () => {
  it('knows both forms, and neither a tail nor the queues', () => {
    const names = ['session.jsonl', 'a/b.jsonl.gz', 'network.jsonl', 'a/network.jsonl', 'x.tail'];
    const others = ['jobs.jsonl', 'a/samples.jsonl', 'a/path-use.jsonl'];
    expect([...names, ...others].filter(isLogName)).toEqual(['session.jsonl', 'a/b.jsonl.gz']);
  });
});

/** Samples of two subflows each 100 ms. Bytes, round trips and times change as on a busy connection. */
function sampled(count: number): LogEvent[] {
  const noise = (n: number, span: number): number => ((n * 2654435761) >>> 8) % span;
  return Array.from({ length: count }, (_, n) => {
    const monotonicMs = 250_000 + n * 100 + noise(n, 1000) / 1000;
    const subflows = [1, 2].map((path) => ({
      subflowId: String(path),
      pathId: `path${path}`,
      interfaceName: `path${path}`,
      local: { address: `10.77.${path}.2`, port: 39_616 },
      remote: { address: '10.77.0.1', port: 8080 },
      state: 'active' as const,
      bytesReceived: n * 60_000 + noise(n * 3 + path, 9000),
      rcvRttUs: 80_000 + noise(n * 5 + path, 9000),
      rttUs: 20_000 + noise(n >> 4, 3000),
      minRttUs: 20_418,
      lastDataRecvMs: noise(n * 7 + path, 100),
      outOfOrderSegments: n >> 3,
      retransSegments: 0,
    }));
    const connection = {
      connectionId: 'm:29b8a64c',
      kind: 'mptcp' as const,
      local: { address: '10.77.1.2', port: 39_616 },
      remote: { address: '10.77.0.1', port: 8080 },
      inOrderBytes: n * 120_000,
      subflows,
    };
    const batch = { monotonicMs, connections: [connection], lostSamples: 0 };
    return { type: 'samples' as const, monotonicMs, batch };
  });
}
