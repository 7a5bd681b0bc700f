export * from '../../transport/feed';
export * from '../../transport/log';
export * from '../../transport/monotonic-clock';
