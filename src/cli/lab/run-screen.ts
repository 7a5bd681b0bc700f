import { terminalSize } from '../terminal-size';

/** Redrawn this often where lines cannot be redrawn: a log shall not drown. */
const LOG_EVERY_MS = 30_000;

/** Lines that stay, and one below them that is drawn again and again. */
export class RunScreen {
  #drawn = false;
  #lastMs = 0;

  constructor(private readonly stream: NodeJS.WriteStream) {}

  tell(line: string): void {
    this.clear();
    this.stream.write(`${line}\n`);
    this.#lastMs = performance.now();
  }

  draw(line: string): void {
    if (this.stream.isTTY) {
      this.stream.write(
        `\r\x1b[K${line.slice(0, Math.max(1, terminalSize(this.stream).columns - 1))}`,
      );
      this.#drawn = true;
    } else if (performance.now() - this.#lastMs >= LOG_EVERY_MS) {
      this.stream.write(`${line}\n`);
      this.#lastMs = performance.now();
    }
  }

  clear(): void {
    if (this.#drawn) this.stream.write('\r\x1b[K');
    this.#drawn = false;
  }
}
