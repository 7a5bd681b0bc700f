export * from './jsonl-log-sink';
export * from './read-log';
export * from './make-folder';
