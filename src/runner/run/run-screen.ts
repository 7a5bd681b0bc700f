import { printableLine } from '../../core';
import { print } from '../host/terminal';
import { terminalSize } from '../host/terminal-size';

/** Interval of the status line if lines cannot be redrawn, so that a log stays short. */
const LOG_EVERY_MS = 30_000;

/** Permanent lines, and one status line below them that is redrawn. */
export class RunScreen {
  #drawn = false;
  #lastMs = 0;

  readonly #stream: NodeJS.WriteStream;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  print(line: string): void {
    this.clear();
    print(this.#stream, `${line}\n`);
    this.#lastMs = performance.now();
  }

  draw(line: string): void {
    if (this.#stream.isTTY) {
      this.#stream.write(
        `\r\x1b[K${printableLine(line).slice(0, Math.max(1, terminalSize(this.#stream).columns - 1))}`,
      );
      this.#drawn = true;
    } else if (performance.now() - this.#lastMs >= LOG_EVERY_MS) {
      print(this.#stream, `${line}\n`);
      this.#lastMs = performance.now();
    }
  }

  clear(): void {
    if (this.#drawn) this.#stream.write('\r\x1b[K');
    this.#drawn = false;
  }
}
