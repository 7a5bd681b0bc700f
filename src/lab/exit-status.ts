import { constants } from 'node:os';

/**
 * Status of an ended process, as a shell reports it.
 * @returns the exit code, or 128 + n after signal n
 */
export const exitStatusOf = (code: number | null, signal: NodeJS.Signals | null): number =>
  code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
