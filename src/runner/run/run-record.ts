import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { errorText } from '../../core';
import type { RunRecord } from '../../scenario';
import { UserError } from '../host/user-error';

/** Folder of a trial in the form of `planTrials`. The check matters, because the folder is emptied before its trial. */
const trialFolder = v.pipe(v.string(), v.regex(/^trials\/\d+-[^/]+$/, 'not the folder of a trial'));

/** The fields without which a run cannot be read. The others stay as `lab run` wrote them. */
const runSchema = v.looseObject({
  schemaVersion: v.literal(1),
  scenario: v.looseObject({
    name: v.string(),
    players: v.array(v.looseObject({ id: v.string() })),
    topology: v.looseObject({ paths: v.array(v.unknown()), links: v.array(v.unknown()) }),
  }),
  plan: v.array(
    v.looseObject({ player: v.string(), trial: v.number(), seed: v.number(), folder: trialFolder }),
  ),
});

/** Reads a JSON file of a run. @throws UserError if it is missing or not JSON */
export function readRunFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown;
  } catch (error) {
    throw new UserError(`${file} cannot be read (${errorText(error)}): it belongs to a run`);
  }
}

/** Calls {@link readRunFile} and checks the content. @throws UserError that names the file and the field */
export function readChecked(file: string, schema: v.GenericSchema): unknown {
  const parsed = v.safeParse(schema, readRunFile(file));
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw new UserError(
    `${file} is not the record of a run of this version: ${v.getDotPath(issue) ?? 'all of it'}: ${issue.message}`,
  );
}

/** The error for a folder of the command line that holds no run. */
export const noRunIn = (folder: string): UserError =>
  new UserError(`${folder}: there is no run in it (run.json)`, 2);

/** The `run.json` of a folder. @throws UserError if there is none that this version can resume */
export function readRun(folder: string): RunRecord {
  if (!existsSync(path.join(folder, 'run.json'))) throw noRunIn(folder);
  return readChecked(path.join(folder, 'run.json'), runSchema) as RunRecord;
}

/** Folders of runs at or directly below a folder. */
export function runFolders(folder: string): string[] {
  if (existsSync(path.join(folder, 'run.json'))) return [folder];
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder)
    .sort()
    .map((name) => path.join(folder, name))
    .filter((candidate) => existsSync(path.join(candidate, 'run.json')));
}

/** The runs at or directly below each folder. A folder without one stays, to be reported by name. */
export const runsIn = (folders: readonly string[]): string[] =>
  folders.flatMap((folder) => {
    const found = runFolders(folder);
    return found.length === 0 ? [folder] : found;
  });
