import { COMPACT_LOG_ENDING, openCompactLog } from './compact-log-sink';
import { openJsonlLog, type JsonlLogOptions, type JsonlLogSink } from './jsonl-log-sink';

/** `plain`: JSON Lines as they come. `compact`: the same lines compressed, a tenth of the size. */
export const logFormats = ['plain', 'compact'] as const;
export type LogFormat = (typeof logFormats)[number];

/** Ending of a session log's name in that form. */
export const logEnding = (format: LogFormat): string =>
  format === 'plain' ? '.jsonl' : COMPACT_LOG_ENDING;

/** Opens a session log in either form. @throws LogError (LOG_NOT_WRITABLE) */
export const openLog = (
  file: string,
  format: LogFormat,
  options: JsonlLogOptions = {},
): JsonlLogSink =>
  format === 'plain' ? openJsonlLog(file, options) : openCompactLog(file, options);

/** Logs of the links, of simulated jobs and of a soak, which may lie in the same folders. */
const OTHER_LOGS = /(^|\/)(network|jobs|samples|path-use)\.jsonl$/;

/** Returns true if a file name is that of a session log, in either form. */
export const isLogName = (name: string): boolean =>
  /\.jsonl(\.gz)?$/.test(name) && !OTHER_LOGS.test(name);
