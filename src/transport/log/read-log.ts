import { readFileSync } from 'node:fs';
import { parseLogEvent } from '../../ipc';
import type { LogEvent } from '../../qoe';
import { LogError } from './jsonl-log-sink';

/** One line that is not a log event. */
interface LogLineError {
  file: string;
  /** From 1. */
  line: number;
  /** Names the field and what is wrong with it. */
  message: string;
}

export interface ReadLog {
  /** Every good line, in order. */
  events: LogEvent[];
  errors: LogLineError[];
  /** The last line was cut off (the writer was killed); its number. */
  tornLine?: number;
}

function parseLine(text: string): { event: LogEvent } | { error: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { error: 'line: not JSON' };
  }
  const parsed = parseLogEvent(value);
  return parsed.ok ? { event: parsed.value } : { error: parsed.error };
}

/** Reads the text of a session log; `file` is only for the messages. */
export function parseLog(text: string, file: string): ReadLog {
  const lines = text.split('\n');
  // A whole log ends with a line feed, so the last piece is empty; anything else is a torn line.
  const rest = lines.pop() ?? '';
  const result: ReadLog = { events: [], errors: [] };
  lines.forEach((line, index) => {
    const parsed = parseLine(line);
    if ('event' in parsed) result.events.push(parsed.event);
    else
      result.errors.push({
        file,
        line: index + 1,
        message: `${file}:${index + 1}: ${parsed.error}`,
      });
  });
  if (rest !== '') {
    const parsed = parseLine(rest);
    // Only its line feed may be missing.
    if ('event' in parsed) result.events.push(parsed.event);
    result.tornLine = lines.length + 1;
  }
  const [first] = result.events;
  if (first && first.type !== 'config') {
    const message = `${file}:1: type: the first event must be config, found ${first.type}`;
    result.errors.unshift({ file, line: 1, message });
  }
  return result;
}

/**
 * Reads a session log. Bad lines are reported, good ones kept; a torn last line is no error.
 * @throws LogError (LOG_NOT_READABLE) when the file cannot be read
 */
export function readLog(file: string): ReadLog {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new LogError('LOG_NOT_READABLE', file, `${file} cannot be read: ${reason}`, error);
  }
  return parseLog(text, file);
}
