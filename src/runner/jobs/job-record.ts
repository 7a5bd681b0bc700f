import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { errorText } from '../../core';
import { machineFacts } from '../host/machine-facts';
import { resumeOption } from '../host/run-dir';
import { UserError } from '../host/user-error';
import { writeRunFile } from '../run/resume';
import type { KeyedJob } from './run-jobs';

/** `experiment.json`: the settings of a folder of jobs. */
export interface JobRecord<Options> {
  schemaVersion: 1;
  experiment: string;
  options: Options;
  startedAt: string;
  /** Figures do not depend on it; the duration does. */
  machine: Readonly<Record<string, string | number>>;
  jobs: number;
  /** Hash of the planned jobs: a run resumes only with the same ones. */
  plan: string;
}

export const RECORD_FILE = 'experiment.json';
export const JOB_LOG_FILE = 'jobs.jsonl';

function planHash(jobs: readonly KeyedJob[]): string {
  const hash = createHash('sha256');
  for (const job of jobs) hash.update(JSON.stringify(job)).update('\n');
  return hash.digest('hex').slice(0, 32);
}

/** @throws Error when two jobs have the same key: a defect of the experiment */
function checkKeys(jobs: readonly KeyedJob[]): void {
  const seen = new Set<string>();
  for (const { key } of jobs) {
    if (seen.has(key)) throw new Error(`two jobs of this experiment have the key ${key}`);
    seen.add(key);
  }
}

/** Begins a run in a folder. @throws UserError if the folder contains one already */
export function beginRecord<Options>(
  folder: string,
  experiment: string,
  options: Options,
  jobs: readonly KeyedJob[],
  version: string,
): JobRecord<Options> {
  checkKeys(jobs);
  const has = (name: string): boolean => existsSync(path.join(folder, name));
  if (has(RECORD_FILE) || has('run.json')) {
    throw new UserError(
      `${folder} holds a run already: go on with it with ${resumeOption(folder)}, or choose another folder with --out`,
    );
  }
  if (has(JOB_LOG_FILE)) {
    throw new UserError(
      `${folder} has outcomes (${JOB_LOG_FILE}) without their settings (${RECORD_FILE}), which may be others: choose another folder with --out`,
    );
  }
  const record: JobRecord<Options> = {
    schemaVersion: 1,
    experiment,
    options,
    startedAt: new Date().toISOString(),
    machine: machineFacts(version),
    jobs: jobs.length,
    plan: planHash(jobs),
  };
  const text = `${JSON.stringify(record, undefined, 2)}\n`;
  writeRunFile(path.join(folder, RECORD_FILE), text, resumeOption(folder));
  return record;
}

/** Reads the settings of a run. @throws UserError if the folder contains none, or one of another experiment */
export function readRecord<Options>(folder: string, experiment: string): JobRecord<Options> {
  if (!existsSync(folder)) throw new UserError(`--resume ${folder}: there is no such folder`, 2);
  const file = path.join(folder, RECORD_FILE);
  let record: Partial<JobRecord<Options>> | null;
  try {
    record = JSON.parse(readFileSync(file, 'utf8')) as Partial<JobRecord<Options>> | null;
  } catch (error) {
    throw new UserError(
      `${file} cannot be read (${errorText(error)}): ` +
        '--resume takes the folder of a run of this experiment',
      2,
    );
  }
  if (
    record?.schemaVersion !== 1 ||
    typeof record.options !== 'object' ||
    record.options === null
  ) {
    throw new UserError(`${file} is not the record of an experiment of this version`);
  }
  if (record.experiment !== experiment) {
    throw new UserError(
      `${folder} holds a run of the experiment ${record.experiment}: go on with \`${commandOf(String(record.experiment))} ${resumeOption(folder)}\``,
      2,
    );
  }
  return record as JobRecord<Options>;
}

/** The command of an experiment; the lab's part of one has a name of its own. */
const commandOf = (experiment: string): string =>
  `multipath-dash experiment ${COMMANDS[experiment] ?? experiment}`;

/** The lab's parts of experiments. */
const COMMANDS: Readonly<Record<string, string>> = {
  'aqm-kernel': 'aqm --backend kernel',
  'cc-kernel': 'cc --backend kernel',
  'genetic-kernel': 'genetic --backend kernel',
};

/** @throws UserError if this program would simulate other jobs than the program that began the run */
export function checkSameJobs(
  folder: string,
  record: JobRecord<unknown>,
  jobs: readonly KeyedJob[],
): void {
  checkKeys(jobs);
  if (planHash(jobs) === record.plan) return;
  throw new UserError(
    `${folder}: this version of the program plans other jobs than the one that began this run: begin a new one without --resume`,
  );
}
