import { readFileSync } from 'node:fs';
import { errorText } from '../../core';
import { parseLogEvent } from '../../ipc';
import { LOG_SCHEMA_VERSION, type LogEvent } from '../../session-log';
import { COMPACT_LOG_ENDING } from './compact-log-sink';
import { readCompactLines } from './compact-text';
import { LogError } from './jsonl-log-sink';

/** One line that is not a log event. */
interface LogLineError {
  file: string;
  /** Line, from 1. */
  line: number;
  /** Names the field and its error. */
  message: string;
}

export interface ReadLog {
  /** Every good line, in order. */
  events: LogEvent[];
  errors: LogLineError[];
  /** Number of the last line, if it was cut off because the writer was killed. */
  tornLine?: number;
  /** Version of the log's schema, if it is another one than this program's: its events may mean something else. */
  otherVersion?: unknown;
}

function parseLine(text: string): { event: LogEvent } | { error: string; otherVersion?: unknown } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { error: 'line: not JSON' };
  }
  const parsed = parseLogEvent(value);
  if (parsed.ok) return { event: parsed.value };
  const { type, schemaVersion } = (value ?? {}) as { type?: unknown; schemaVersion?: unknown };
  const isOther =
    type === 'config' && schemaVersion !== undefined && schemaVersion !== LOG_SCHEMA_VERSION;
  return { error: parsed.error, ...(isOther ? { otherVersion: schemaVersion } : {}) };
}

/**
 * The lines of a log, and the piece after the last line feed. The whole text could exceed the length limit of
 * a string.
 */
function* linesOf(bytes: Buffer): Generator<{ text: string; whole: boolean }> {
  let from = 0;
  for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, from)) {
    yield { text: bytes.toString('utf8', from, end), whole: true };
    from = end + 1;
  }
  if (from < bytes.length) yield { text: bytes.toString('utf8', from), whole: false };
}

/** Reads the text of a session log, up to a second session in it. `file` appears only in messages. */
export function parseLog(text: string | Buffer, file: string): ReadLog {
  const result: ReadLog = { events: [], errors: [] };
  let line = 0;
  let configLine: number | undefined;
  for (const { text: lineText, whole } of linesOf(
    typeof text === 'string' ? Buffer.from(text) : text,
  )) {
    line += 1;
    const parsed = parseLine(lineText);
    if ('event' in parsed && parsed.event.type === 'config') {
      if (configLine !== undefined) {
        const message = `${file}:${line}: type: a second session begins here (config): a log holds one, and this and all later lines are left out`;
        result.errors.push({ file, line, message });
        break;
      }
      configLine = line;
    }
    // A torn line may lack only its line feed.
    if ('event' in parsed) result.events.push(parsed.event);
    else if (whole) {
      result.errors.push({ file, line, message: `${file}:${line}: ${parsed.error}` });
      if ('otherVersion' in parsed) result.otherVersion ??= parsed.otherVersion;
    }
    if (!whole) result.tornLine = line;
  }
  const [first] = result.events;
  // A first line that is no event says itself what is wrong.
  const hasFirst = result.errors[0]?.line !== 1;
  if (hasFirst && first && first.type !== 'config') {
    const message = `${file}:1: type: the first event must be config, found ${first.type}`;
    result.errors.unshift({ file, line: 1, message });
  }
  return result;
}

/**
 * Reads a session log, plain or compact. Bad lines are reported, good ones kept; a torn last line is no error.
 * @throws LogError LOG_NOT_READABLE when the file cannot be read, LOG_OTHER_VERSION when another version of the program
 *   with another schema wrote it
 */
export function readLog(file: string): ReadLog {
  let text: Buffer;
  try {
    text = file.endsWith(COMPACT_LOG_ENDING) ? readCompactLines(file) : readFileSync(file);
  } catch (error) {
    const reason = errorText(error);
    throw new LogError('LOG_NOT_READABLE', file, `${file} cannot be read: ${reason}`, error);
  }
  const log = parseLog(text, file);
  if ('otherVersion' in log) {
    const message = `${file} has schema version ${JSON.stringify(log.otherVersion)}, this program reads ${LOG_SCHEMA_VERSION}: read it with the version that wrote it`;
    throw new LogError('LOG_OTHER_VERSION', file, message);
  }
  return log;
}
