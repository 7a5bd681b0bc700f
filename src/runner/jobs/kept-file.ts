import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { errorText } from '../../core';
import { makeFolder, SHARED_FOLDER } from '../../transport';
import { UserError } from '../host/user-error';
import { writeWhole } from '../host/write-whole';
import type { JobRecord } from './job-record';
import type { JobLine } from './job-log';
import type { KeyedJob } from './run-jobs';

/** First line of a file of kept results: the run they belong to. */
export type KeptHeader<Options> = Pick<
  JobRecord<Options>,
  'schemaVersion' | 'experiment' | 'options' | 'startedAt' | 'machine'
>;

/** A kept outcome. `job` is the hash of the job that gave it. */
export interface KeptLine {
  key: string;
  job: string;
  tookMs: number;
  outcome: unknown;
}

export interface KeptResults<Options> {
  header: KeptHeader<Options>;
  lines: readonly KeptLine[];
}

/** Hexadecimal digits of a job's hash: 64 bits make a collision improbable. */
const HASH_LENGTH = 16;
/** Interval of writes: a killed run loses at most this much. */
const WRITE_EVERY_MS = 60_000;

/** Names a job with all that it is made of. */
const jobHash = (job: KeyedJob): string =>
  createHash('sha256').update(JSON.stringify(job)).digest('hex').slice(0, HASH_LENGTH);

/** The file of an experiment's kept results. */
export const keptFile = (folder: string, experiment: string): string =>
  path.join(folder, `${experiment}.jsonl.gz`);

/**
 * Reads kept results: gzipped JSON Lines, the header first. A missing file yields undefined.
 * @throws UserError naming the file, or the first line that is no result
 */
export function readKept<Options>(
  file: string,
  experiment: string,
): KeptResults<Options> | undefined {
  if (!existsSync(file)) return undefined;
  let texts: string[];
  try {
    texts = gunzipSync(readFileSync(file)).toString('utf8').split('\n');
  } catch (error) {
    throw new UserError(`${file} cannot be read (${errorText(error)})`);
  }
  const parsed = texts
    .filter((text) => text !== '')
    .map((text, index): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        throw new UserError(`${file}:${index + 1}: this line is no JSON`);
      }
    });
  const [header, ...lines] = parsed as [Partial<KeptHeader<Options>> | undefined, ...KeptLine[]];
  if (header?.schemaVersion !== 1 || header.experiment !== experiment) {
    throw new UserError(`${file} has no results of the experiment ${experiment}`);
  }
  const broken = lines.findIndex(
    (line) => typeof line.key !== 'string' || typeof line.job !== 'string' || !('outcome' in line),
  );
  if (broken >= 0) throw new UserError(`${file}:${broken + 2}: this line is no result`);
  return { header: header as KeptHeader<Options>, lines };
}

/**
 * Kept outcomes by key.
 * @throws UserError if this program plans one of the jobs otherwise, or not at all
 */
export function keptOutcomes(
  file: string,
  lines: readonly KeptLine[],
  jobs: readonly KeyedJob[],
): Map<string, KeptLine> {
  const planned = new Map(jobs.map((job) => [job.key, job]));
  for (const { key, job } of lines) {
    const now = planned.get(key);
    if (now !== undefined && jobHash(now) === job) continue;
    const how = now === undefined ? 'no longer' : 'otherwise';
    throw new UserError(
      `${file}: this version of the program plans the job ${key} ${how}: remove the file to begin anew`,
    );
  }
  return new Map(lines.map((line) => [line.key, line]));
}

/**
 * The kept results of a run that is under way. They are read from the file at the beginning of the run. They are
 * written to it every minute and at the end, so that a killed run loses a minute at most.
 */
export class KeptRun {
  readonly #file: string;
  readonly #jobs: readonly KeyedJob[];
  readonly #header: KeptHeader<unknown>;
  readonly #found = new Map<string, Pick<KeptLine, 'tookMs' | 'outcome'>>();
  #writtenAtMs = performance.now();

  /** @throws UserError as {@link keptOutcomes} */
  constructor(file: string, record: JobRecord<unknown>, jobs: readonly KeyedJob[]) {
    const { schemaVersion, experiment, options, machine } = record;
    const earlier = readKept(file, experiment);
    // Several runs keep the time of the first one.
    const startedAt = earlier?.header.startedAt ?? record.startedAt;
    this.#header = { schemaVersion, experiment, options, startedAt, machine };
    for (const [key, line] of keptOutcomes(file, earlier?.lines ?? [], jobs)) {
      this.#found.set(key, line);
    }
    this.#file = file;
    this.#jobs = jobs;
  }

  /** Results of this run, and those that the file had before it. */
  get lines(): JobLine[] {
    return [...this.#found].map(([key, { tookMs, outcome }]) => ({ key, tookMs, outcome }));
  }

  add(line: JobLine): void {
    if (!('outcome' in line)) return;
    this.#found.set(line.key, { tookMs: line.tookMs, outcome: line.outcome });
    if (performance.now() - this.#writtenAtMs > WRITE_EVERY_MS) this.write();
  }

  /** All results in the order of the plan. @returns their number */
  write(): number {
    const lines = this.#jobs.flatMap((job): KeptLine[] => {
      const line = this.#found.get(job.key);
      if (line === undefined) return [];
      const { tookMs, outcome } = line;
      return [{ key: job.key, job: jobHash(job), tookMs, outcome }];
    });
    const text = [this.#header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
    makeFolder(path.dirname(this.#file), SHARED_FOLDER);
    writeWhole(this.#file, gzipSync(text, { level: 9 }));
    this.#writtenAtMs = performance.now();
    return lines.length;
  }
}
