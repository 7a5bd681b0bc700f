export * from './feed-session';
export * from './linux-feed';
