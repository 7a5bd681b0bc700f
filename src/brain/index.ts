export type * from './types';
export { DEFAULT_POLICY, ownPolicy } from './config';
export { isTrusted } from './forecast';
export type { JudgedForecast } from './forecast-errors';
export { judgeAgain, judgeForecast } from './observe';
export { createBrain, type BrainState } from './state';
export { replay, stepBrain } from './step';
