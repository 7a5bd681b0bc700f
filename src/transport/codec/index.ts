export * from './address';
export * from './interface-table';
export * from './mptcp-event';
export * from './samples';
export * from './diff';
export * from './status';
export * from './origins';
