import { CommanderError } from 'commander';
import { SweepError } from '../experiments';
import { UserError } from '../runner/host';
import { ScenarioError } from '../scenario';

/** Exit status for an invalid command line: options, arguments, or a file named in them. */
export const USAGE_STATUS = 2;

/** The exit status of an error and its message. */
export interface Exit {
  status: number;
  /** Text for standard error; empty if it was written already. */
  text: string;
}

/** Errors with a remedy appear without a stack. Any other error is a defect and shows its stack. */
export function exitOf(error: unknown): Exit {
  // Commander has written its own message, or the requested help or version.
  if (error instanceof CommanderError) {
    return { status: error.exitCode === 0 ? 0 : USAGE_STATUS, text: '' };
  }
  if (error instanceof UserError) {
    const isUsage = error.exitCode === USAGE_STATUS;
    return { status: error.exitCode, text: isUsage ? withHint(error.message) : error.message };
  }
  if (error instanceof ScenarioError || error instanceof SweepError) {
    return { status: USAGE_STATUS, text: withHint(error.message) };
  }
  if (!(error instanceof Error)) return { status: 1, text: String(error) };
  const text = 'code' in error ? error.message : (error.stack ?? error.message);
  return { status: 1, text };
}

/** A usage error is one line that ends with the way to the help. A list of a file's problems stays as it is. */
const withHint = (text: string): string => (text.includes('\n') ? text : `${text} (see --help)`);

/** Commander's error in the form of all others: its own is up to three lines and begins with `error:`. */
export const usageLine = (text: string): string =>
  withHint(
    text
      .replace(/^error: /, '')
      .trim()
      .replace(' is invalid. ', ' is invalid: ')
      .replaceAll(/\s*\n\s*(?=\()/g, ' ')
      .replaceAll(/\s*\n\s*/g, '; '),
  );
