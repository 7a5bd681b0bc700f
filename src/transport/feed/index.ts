export * from './feed-session';
export * from './linux-feed';
export * from './page-log-limit';
