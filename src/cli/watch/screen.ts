import { terminalSize } from '../../runner/host';
import type { WatchViewOptions } from './view';

export interface WatchScreen {
  /** Shows the lines, formatted for the terminal's present size. */
  draw(render: (view: WatchViewOptions) => string[]): void;
  /** Called when the viewer ends it (q, Ctrl-C, or a closed pipe). */
  onQuit(callback: () => void): void;
  /** Restores the terminal. */
  close(): void;
}

const CTRL_C = '\u0003';

/**
 * The terminal of `watch`: the whole screen of a terminal, refreshed in place, and plain text elsewhere.
 * @param plain append instead of using the screen, even on a terminal
 */
export function createWatchScreen(
  io: { stdout: NodeJS.WriteStream; stdin?: NodeJS.ReadStream },
  plain: boolean,
): WatchScreen {
  const { stdout, stdin } = io;
  const full = stdout.isTTY && !plain;
  const colour = stdout.isTTY && process.env['NO_COLOR'] === undefined;
  let quit: () => void = () => undefined;
  const onKey = (data: Buffer | string): void => {
    const keys = String(data);
    if (keys.includes('q') || keys.includes(CTRL_C)) quit();
  };
  // A closed pipe, as of `watch --json | head -1`, is a normal end.
  const onPipe = (): void => quit();
  stdout.on('error', onPipe);
  const keys = full && stdin?.isTTY === true ? stdin : undefined;
  if (keys) {
    keys.setRawMode(true);
    keys.resume();
    keys.on('data', onKey);
  }
  // The alternate screen, without a cursor, so that the viewer's own screen returns afterwards.
  if (full) stdout.write('\u001b[?1049h\u001b[?25l');

  return {
    draw(render) {
      if (!full) {
        const columns = stdout.isTTY ? terminalSize(stdout).columns : Infinity;
        stdout.write(`${render({ colour, columns }).join('\n')}\n\n`);
        return;
      }
      const lines = render({ colour, ...terminalSize(stdout) });
      // Overwrites line by line instead of clearing, which would flicker.
      stdout.write(`\u001b[H${lines.map((text) => `${text}\u001b[K`).join('\n')}\u001b[J`);
    },
    onQuit(callback) {
      quit = callback;
    },
    close() {
      stdout.off('error', onPipe);
      stdout.on('error', () => undefined);
      if (keys) {
        keys.off('data', onKey);
        keys.setRawMode(false);
        keys.pause();
      }
      if (full) stdout.write('\u001b[?25h\u001b[?1049l');
    },
  };
}
