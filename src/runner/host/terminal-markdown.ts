import { terminalText } from '../../report';

/** Used if the width of the window is unknown. */
const DEFAULT_COLUMNS = 100;

/** Markdown for standard output: formatted on a terminal, unchanged into a file or a pipe. */
export function forTerminal(
  markdown: string,
  out: { isTTY?: boolean; columns?: number } = process.stdout,
): string {
  return out.isTTY === true ? terminalText(markdown, out.columns ?? DEFAULT_COLUMNS) : markdown;
}
