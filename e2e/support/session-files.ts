import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseLogEvent } from '../../src/ipc';
import type { LogEvent } from '../../src/qoe';

/** The session logs of a folder, oldest first, every line checked against the schema. */
export function readSessionLogs(folder: string): LogEvent[][] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return files.sort().map((name) =>
    readFileSync(path.join(folder, name), 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line, index) => {
        const event = parseLogEvent(JSON.parse(line));
        if (!event.ok) throw new Error(`${name}:${index + 1}: ${event.error}`);
        return event.value;
      }),
  );
}
