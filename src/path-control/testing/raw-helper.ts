/** The helper as an attacker uses it: requests as text, no library in between. */
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { until } from './stream';

/** A helper that receives raw requests. */
export class RawHelper {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
  #text = '';
  #sequence = 0;

  constructor(program: string, ...args: string[]) {
    this.child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    this.child.stdin?.on('error', () => undefined);
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.#text += text));
    this.ended = new Promise((resolve) => this.child.once('close', resolve));
  }

  /** `ok`, or the code of the refusal. */
  async ask(request: string): Promise<string> {
    const id = String((this.#sequence += 1));
    const from = this.#text.length;
    this.child.stdin?.write(`${id} ${request}\n`);
    const answers = (): string[][] =>
      this.#text
        .slice(from)
        .split('\n')
        .slice(0, -1)
        .map((line) => line.split(' '));
    const isLast = ([of, word]: string[]): boolean =>
      (of === id || of === '0') && (word === 'ok' || word === 'error');
    await until(request, () => answers().some(isLast));
    const [, word, code] = answers().find(isLast) ?? [];
    return word === 'ok' ? 'ok' : (code ?? '');
  }

  /** The requests that were not refused, with the answers to the others. */
  async attack(requests: readonly string[]): Promise<{ done: string[]; codes: string[] }> {
    const answered: [string, string][] = [];
    for (const request of requests) answered.push([request, await this.ask(request)]);
    return {
      done: answered.filter(([, code]) => code === 'ok').map(([request]) => request),
      codes: [...new Set(answered.map(([, code]) => code))].sort(),
    };
  }

  async end(): Promise<void> {
    this.child.stdin?.end();
    await this.ended;
  }
}

/** The second process of a helper. */
export function guardianOf(helper: RawHelper): number {
  const pid = helper.child.pid ?? 0;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return Number(children);
}
