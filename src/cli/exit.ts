import { CommanderError } from 'commander';
import { SweepError } from '../experiments';
import { UserError } from '../runner/host';
import { ScenarioError } from '../scenario';

/** Exit status for an invalid command line: options, arguments, or a file named in them. */
export const USAGE_STATUS = 2;

/** How an error ends the program. */
export interface Exit {
  status: number;
  /** For standard error. Empty if it is written already. */
  text: string;
}

/** Errors with a remedy appear without a stack. Any other error is a defect and shows its stack. */
export function exitOf(error: unknown): Exit {
  // Commander has written its own message, or the requested help or version.
  if (error instanceof CommanderError) {
    return { status: error.exitCode === 0 ? 0 : USAGE_STATUS, text: '' };
  }
  if (error instanceof UserError) {
    const hint = error.exitCode === USAGE_STATUS && !error.message.includes('\n') ? SEE_HELP : '';
    return { status: error.exitCode, text: `${error.message}${hint}` };
  }
  if (error instanceof ScenarioError || error instanceof SweepError) {
    return { status: USAGE_STATUS, text: error.message };
  }
  if (!(error instanceof Error)) return { status: 1, text: String(error) };
  const text = 'code' in error ? error.message : (error.stack ?? error.message);
  return { status: 1, text };
}

/** Follows the one line of a usage error. */
export const SEE_HELP = ' (see --help)';

/** A reader that closes the pipe (`| head`) ends the program in order and silently. */
export function endOnClosedPipe(
  stream: NodeJS.WriteStream,
  exit: (status: number) => void = (status) => process.exit(status),
): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    exit(Number(process.exitCode ?? 0));
  });
}
