export { openSessionControl, type DecisionOptions } from './decision';
export { runSession, type SessionOptions, type SessionResult } from './session';
