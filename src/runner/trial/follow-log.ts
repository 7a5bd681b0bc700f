import { closeSync, openSync, readSync } from 'node:fs';
import { parseLogEvent } from '../../ipc';
import type { LogEvent } from '../../session-log';

const CHUNK_BYTES = 1 << 16;

/**
 * Reads a session log that another process writes. Each call of the returned function returns the events
 * since the last call.
 */
export function followLog(file: string): { read(): LogEvent[]; close(): void } {
  const fd = openSync(file, 'r');
  const chunk = Buffer.alloc(CHUNK_BYTES);
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
