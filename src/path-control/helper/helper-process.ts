import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { PathControlError, type PathControlErrorCode } from '../../ports';

/** The helper answers within milliseconds; longer, it is stuck. Chosen; no measurement. */
const REQUEST_TIMEOUT_MS = 3000;
/** The limits of the helper (native/helper/README.md) with room. Chosen; no measurement. */
const MAX_LINE_CHARS = 512;
const MAX_LINES = 4096;

/** The running privileged helper (native/helper/README.md). */
export interface HelperProcess {
  /**
   * Sends a request and returns the words of each line of the answer before its last. @throws
   * PathControlError
   */
  ask(request: string): Promise<string[][]>;
  /** Called with the words of every unsolicited line. */
  onLine(listener: (words: readonly string[]) => void): void;
  /** Called once when it ended without a call of close; at once if it has. */
  onGone(listener: (error: PathControlError) => void): void;
  close(): void;
}

interface Waiting {
  lines: string[][];
  resolve: (lines: string[][]) => void;
  reject: (error: PathControlError) => void;
}

const codes: Partial<Record<string, PathControlErrorCode>> = {
  denied: 'DENIED',
  foreign: 'FOREIGN',
};

/**
 * Starts the helper and exchanges lines over its stdin and stdout. The helper restores all its changes when
 * this process ends, however it ends.
 * @param command program and arguments, such as `['/usr/local/libexec/mpd-pathctl']` or with `sudo -n` before
 * it
 * @param first the first request, which shows that it works
 * @throws PathControlError DENIED when it cannot be started or lacks its privilege
 */
export async function startHelper(
  command: readonly string[],
  first: string,
): Promise<HelperProcess> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const waiting = new Map<number, Waiting>();
  const listeners: ((words: readonly string[]) => void)[] = [];
  let sequence = 0;
  let gone: PathControlError | undefined;
  let said = '';
  let closed = false;
  let reportGone: (error: PathControlError) => void = () => undefined;

  const lose = (code: PathControlErrorCode, message: string): void => {
    const isFirst = gone === undefined;
    gone ??= new PathControlError(code, message);
    for (const { reject } of waiting.values()) reject(gone);
    waiting.clear();
    if (isFirst && !closed) reportGone(gone);
  };
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-500)));
  child.stdin.on('error', () => undefined);
  child.once('error', (error) =>
    lose('DENIED', `the helper ${program} cannot be started (${error.message}); see native/helper`),
  );
  child.once('close', () =>
    lose(
      sequence <= 1 ? 'DENIED' : 'LOST',
      `the helper ended: ${said.trim() || 'it said nothing'}`,
    ),
  );

  const unasked = (words: readonly string[]): void => {
    if (words[0] !== 'error') {
      for (const listener of listeners) listener(words);
      return;
    }
    // An older helper answers an unknown request without a number, in order.
    const [oldest] = waiting;
    if (!oldest) return;
    waiting.delete(oldest[0]);
    const message = 'the helper does not know this request: install the one of this version';
    oldest[1].reject(new PathControlError('FAILED', `${message} (native/helper/README.md)`));
  };
  const answer = (line: string): void => {
    const words = line.slice(0, MAX_LINE_CHARS).split(' ');
    const id = Number(words.shift());
    if (id === 0) {
      unasked(words);
      return;
    }
    const request = waiting.get(id);
    if (!request) return;
    if (words[0] !== 'ok' && words[0] !== 'error') {
      if (request.lines.length < MAX_LINES) request.lines.push(words);
      return;
    }
    waiting.delete(id);
    if (words[0] === 'ok') request.resolve(request.lines);
    else {
      const code = codes[words[1] ?? ''] ?? 'FAILED';
      request.reject(new PathControlError(code, `the helper refused: ${words.slice(1).join(' ')}`));
    }
  };
  createInterface(child.stdout).on('line', answer);

  const ask = (request: string): Promise<string[][]> => {
    if (gone) return Promise.reject(gone);
    sequence += 1;
    const id = sequence;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(id);
        reject(new PathControlError('LOST', 'the helper does not answer'));
      }, REQUEST_TIMEOUT_MS);
      waiting.set(id, {
        lines: [],
        resolve: (lines) => {
          clearTimeout(timer);
          resolve(lines);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      });
      child.stdin.write(`${id} ${request}\n`);
    });
  };

  try {
    await ask(first);
  } catch (error) {
    child.stdin.end();
    throw error;
  }
  return {
    ask,
    onLine: (listener) => void listeners.push(listener),
    onGone(listener) {
      reportGone = listener;
      if (gone && !closed) listener(gone);
    },
    close() {
      closed = true;
      child.stdin.end();
    },
  };
}
