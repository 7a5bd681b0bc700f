import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import { PathControlError, type PathControlErrorCode } from '../../ports';

/** The helper answers within milliseconds; longer, it is stuck. Chosen; no measurement. */
const REQUEST_TIMEOUT_MS = 3000;
/** The limits of the helper (native/helper/README.md) with room. Chosen; no measurement. */
const MAX_LINE_CHARS = 512;
const MAX_LINES = 4096;
const MAX_STDERR_CHARS = 500;

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
  const helper = new Helper(command);
  try {
    await helper.ask(first);
  } catch (error) {
    helper.hangUp();
    throw error;
  }
  return helper;
}

class Helper implements HelperProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners: ((words: readonly string[]) => void)[] = [];
  #sequence = 0;
  #gone: PathControlError | undefined;
  /** End of its standard error. */
  #stderr = '';
  #closed = false;
  #reportGone: (error: PathControlError) => void = () => undefined;

  constructor([program = '', ...args]: readonly string[]) {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child = child;
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-MAX_STDERR_CHARS);
    });
    child.stdin.on('error', () => undefined);
    child.once('error', ({ message }) =>
      this.#lose(
        'DENIED',
        `the helper ${program} cannot be started (${message}); see native/helper`,
      ),
    );
    child.once('close', () => {
      const reason = this.#stderr.trim() || 'it said nothing';
      this.#lose(this.#sequence <= 1 ? 'DENIED' : 'LOST', `the helper ended: ${reason}`);
    });
    createInterface(child.stdout).on('line', (line) => this.#receive(line));
  }

  ask(request: string): Promise<string[][]> {
    if (this.#gone) return Promise.reject(this.#gone);
    this.#sequence += 1;
    const id = this.#sequence;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new PathControlError('LOST', 'the helper does not answer'));
      }, REQUEST_TIMEOUT_MS);
      this.#waiting.set(id, {
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
      this.#child.stdin.write(`${id} ${request}\n`);
    });
  }

  onLine(listener: (words: readonly string[]) => void): void {
    this.#listeners.push(listener);
  }

  onGone(listener: (error: PathControlError) => void): void {
    this.#reportGone = listener;
    if (this.#gone && !this.#closed) listener(this.#gone);
  }

  close(): void {
    this.#closed = true;
    this.hangUp();
  }

  /** Ends its input, at which it ends. */
  hangUp(): void {
    this.#child.stdin.end();
  }

  #lose(code: PathControlErrorCode, message: string): void {
    const isFirst = this.#gone === undefined;
    this.#gone ??= new PathControlError(code, message);
    for (const { reject } of this.#waiting.values()) reject(this.#gone);
    this.#waiting.clear();
    if (isFirst && !this.#closed) this.#reportGone(this.#gone);
  }

  #receive(line: string): void {
    const words = line.slice(0, MAX_LINE_CHARS).split(' ');
    const id = Number(words.shift());
    if (id === 0) this.#unsolicited(words);
    else this.#answer(id, words);
  }

  #unsolicited(words: readonly string[]): void {
    if (words[0] !== 'error') {
      for (const listener of this.#listeners) listener(words);
      return;
    }
    // An older helper answers an unknown request without a number, in order.
    const [oldest] = this.#waiting;
    if (!oldest) return;
    this.#waiting.delete(oldest[0]);
    const message = 'the helper does not know this request: install the one of this version';
    oldest[1].reject(new PathControlError('FAILED', `${message} (native/helper/README.md)`));
  }

  #answer(id: number, words: string[]): void {
    const request = this.#waiting.get(id);
    if (!request) return;
    if (words[0] !== 'ok' && words[0] !== 'error') {
      if (request.lines.length < MAX_LINES) request.lines.push(words);
      return;
    }
    this.#waiting.delete(id);
    if (words[0] === 'ok') request.resolve(request.lines);
    else {
      const code = codes[words[1] ?? ''] ?? 'FAILED';
      request.reject(new PathControlError(code, `the helper refused: ${words.slice(1).join(' ')}`));
    }
  }
}
