import {
  closeSync,
  createReadStream,
  existsSync,
  openSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { errorText } from '../../core';
import { UserError } from '../host/user-error';

/** One finished job, a line of `jobs.jsonl`. A failed one is retried when the run resumes. */
export type JobLine = {
  key: string;
  tookMs: number;
  /** Version of the program that ran it. Missing: the one that began the run. */
  program?: string;
} & ({ outcome: unknown } | { error: string });

const LINE_END = 10;

/**
 * Returns whole lines of a file and, last, the text after the last line end, each with its first byte's
 * offset.
 */
async function* linesOf(
  file: string,
): AsyncGenerator<{ at: number; text: string; ended: boolean }> {
  let at = 0;
  let parts: Buffer[] = [];
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, from)) {
      const line = Buffer.concat([...parts, chunk.subarray(from, end)]);
      yield { at, text: line.toString('utf8'), ended: true };
      at += line.length + 1;
      parts = [];
      from = end + 1;
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
  }
  const rest = Buffer.concat(parts);
  if (rest.length > 0) yield { at, text: rest.toString('utf8'), ended: false };
}

function parseLine(text: string): JobLine | undefined {
  try {
    const line = JSON.parse(text) as Partial<{
      key: unknown;
      outcome: unknown;
      error: unknown;
    }> | null;
    if (typeof line?.key !== 'string') return undefined;
    return 'outcome' in line || typeof line.error === 'string' ? (line as JobLine) : undefined;
  } catch {
    return undefined;
  }
}

export interface ReadJobLogOptions {
  onLine: (line: JobLine) => void;
  /** Called with the offset of a broken last line. Without it a broken last line is an error. */
  onBroken?: (at: number) => void;
}

/**
 * Reads the finished jobs of a run. A missing file yields none.
 * @throws UserError naming the line that is not a job, unless it is the last
 */
export async function readJobLog(file: string, options: ReadJobLogOptions): Promise<void> {
  if (!existsSync(file)) return;
  let number = 0;
  let broken: { at: number; number: number } | undefined;
  for await (const { at, text, ended } of linesOf(file)) {
    if (broken !== undefined) throw brokenLine(file, broken.number);
    number += 1;
    const line = ended ? parseLine(text) : undefined;
    if (line === undefined) broken = { at, number };
    else options.onLine(line);
  }
  if (broken === undefined) return;
  if (options.onBroken === undefined) throw brokenLine(file, broken.number);
  options.onBroken(broken.at);
}

const brokenLine = (file: string, number: number): UserError =>
  new UserError(
    `${file}:${number}: this line is no finished job: remove it, and its job is simulated again with --resume`,
  );

/** Removes a broken last line, so that the next job begins its own line. */
export const cutJobLog = (file: string, at: number): void => {
  truncateSync(file, at);
};

/** Writes a line for each finished job at once: a killed process loses at most the last one. */
export class JobLog {
  readonly #fd: number;
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
    this.#fd = openSync(file, 'a');
  }

  /** @throws UserError if the disk is full or another write error occurs */
  add(line: JobLine): void {
    try {
      writeSync(this.#fd, `${JSON.stringify(line)}\n`);
    } catch (error) {
      throw new UserError(
        `${this.#file} cannot be written (${errorText(error)}). ` +
          'Finished jobs are kept: mend it and go on with --resume',
      );
    }
  }

  close(): void {
    closeSync(this.#fd);
  }
}
