import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { LogEvent } from '../../src/session-log';
import { isLogName, readLog } from '../../src/transport';

/** The session logs of a folder, oldest first, every line checked against the schema. */
export function readSessionLogs(folder: string): LogEvent[][] {
  const files = readdirSync(folder).filter(isLogName).sort();
  return files.map((name) => {
    const { errors, events } = readLog(path.join(folder, name));
    if (errors[0]) throw new Error(errors[0].message);
    return events;
  });
}
