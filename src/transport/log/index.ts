export * from './compact-log-sink';
export * from './log-files';
export * from './jsonl-log-sink';
export * from './read-log';
export * from './make-folder';
export * from './keep-logs';
export { OWNER_ONLY } from './put-back';
