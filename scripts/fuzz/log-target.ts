import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { LogError, parseLog, readLog } from '../../src/transport';
import { parseLogEvent } from '../../src/ipc';
import { mutated, readCorpus } from './mutate';
import { propertyTarget, type FuzzTarget } from './target';

const COMPACT = 'session.jsonl.gz';
/** A compact log followed by its tail; the length of the first precedes them. */
const HEAD_BYTES = 4;

function checkEvents(events: readonly unknown[]): void {
  for (const event of events) {
    if (!parseLogEvent(event).ok) throw new Error('an event was read that no log may hold');
  }
}

/** Plain text: each line is an event, an error with its number, or the torn last one. */
const plain = propertyTarget(
  'log',
  () => mutated(readCorpus('log')),
  (bytes) => {
    const { events, errors, tornLine } = parseLog(bytes, 'x.jsonl');
    checkEvents(events);
    const lines = bytes.reduce((count, byte) => count + (byte === 0x0a ? 1 : 0), 0);
    if (events.length > lines + 1) throw new Error('more events than lines');
    const highest = Math.max(0, tornLine ?? 0, ...errors.map(({ line }) => line));
    if (highest > lines + 1) throw new Error('an error is beyond the last line');
  },
);

/** Both files of a compact log, damaged together: read, or refused with the file's name. */
function compact(folder: string): FuzzTarget {
  const file = path.join(folder, COMPACT);
  return propertyTarget(
    'compact-log',
    () => mutated(readCorpus('log').flatMap(compactForms)),
    (bytes) => {
      const mainBytes = bytes.length < HEAD_BYTES ? 0 : bytes.readUInt32LE(0) % (bytes.length + 1);
      writeFileSync(file, bytes.subarray(HEAD_BYTES, HEAD_BYTES + mainBytes));
      writeFileSync(`${file}.tail`, bytes.subarray(HEAD_BYTES + mainBytes));
      try {
        checkEvents(readLog(file).events);
      } catch (error) {
        if (!(error instanceof LogError)) throw error;
      }
    },
  );
}

/** One log as a closed file, and as that of a killed writer with half of its lines in the tail. */
function compactForms(text: Buffer): Buffer[] {
  const middle = text.indexOf('\n', text.length / 2) + 1;
  const parts: [Buffer, Buffer][] = [
    [gzipSync(text), Buffer.alloc(0)],
    [gzipSync(text.subarray(0, middle)), text.subarray(middle)],
  ];
  return parts.map(([main, rest], index) => {
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt32LE(main.length);
    const tail =
      index === 0 ? rest : Buffer.concat([Buffer.from(`{"after":${main.length}}\n`), rest]);
    return Buffer.concat([head, main, tail]);
  });
}

export const logTargets: readonly FuzzTarget[] = [
  plain,
  {
    name: 'compact-log',
    async run(forMs, seed) {
      const folder = mkdtempSync(path.join(os.tmpdir(), 'mpd-fuzz-'));
      try {
        return await compact(folder).run(forMs, seed);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  },
];
