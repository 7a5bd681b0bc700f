import { print } from './terminal';

/**
 * Prints the progress of making media on standard error, a line for each new step of 5 %. Twenty lines are enough for a
 * terminal and for its log.
 */
export function mediaProgress(): (progress: { fraction: number; step: string }) => void {
  let lastLine = '';
  return ({ fraction, step }) => {
    const line = `[media] ${step} (${Math.floor(fraction * 20) * 5} % of all)`;
    if (line !== lastLine) print(process.stderr, `${line}\n`);
    lastLine = line;
  };
}
