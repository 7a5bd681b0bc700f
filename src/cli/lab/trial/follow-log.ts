import { closeSync, openSync, readSync } from 'node:fs';
import { parseLogEvent } from '../../../ipc';
import type { LogEvent } from '../../../qoe';

const chunkBytes = 1 << 16;

/** Reads a session log that another process writes: each call of the function returned gives the events since. */
export function followLog(file: string): { read(): LogEvent[]; close(): void } {
  const fd = openSync(file, 'r');
  const chunk = Buffer.alloc(chunkBytes);
  let rest = Buffer.alloc(0);
  const parse = (line: string): LogEvent[] => {
    try {
      const parsed = parseLogEvent(JSON.parse(line));
      return parsed.ok ? [parsed.value] : [];
    } catch {
      return [];
    }
  };
  return {
    read() {
      for (let got = readSync(fd, chunk); got > 0; got = readSync(fd, chunk)) {
        rest = Buffer.concat([rest, chunk.subarray(0, got)]);
      }
      const end = rest.lastIndexOf('\n') + 1;
      const lines = rest.subarray(0, end).toString('utf8').split('\n').filter(Boolean);
      rest = rest.subarray(end);
      return lines.flatMap(parse);
    },
    close() {
      closeSync(fd);
    },
  };
}
