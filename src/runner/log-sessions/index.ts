export { startLogSessions, type LogSessionsOptions } from './log-sessions';
