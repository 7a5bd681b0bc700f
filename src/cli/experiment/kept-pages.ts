import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  experimentPicture,
  experiments,
  kernelExperiments,
  pictureFile,
  resultsSection,
  withSimulatedReasons,
  type Experiment,
  type ExperimentReport,
  type ExperimentRun,
  type ReadShipped,
} from '../../experiments';
import { UserError } from '../../runner/host';
import { keptFile, keptOutcomes, readKept, runFacts } from '../../runner/jobs';
import type { ExperimentRunOptions } from './run-options';

/** Folder of kept results below that of the pages. */
const RESULTS = 'results';

export const resultsFile = (folder: string, experiment: string): string =>
  keptFile(path.resolve(folder, RESULTS), experiment);

/** Text files by their path below the folder of the pages. */
export type PageFiles = ReadonlyMap<string, string>;

const begin = (name: string): string => `<!-- results ${name} -->`;
const end = (name: string): string => `<!-- /results ${name} -->`;

/** The page that has a place for an experiment's results. @throws UserError if there is none */
export function pageOf(folder: string, name: string): string {
  const found = (existsSync(folder) ? readdirSync(folder) : []).find(
    (file) =>
      file.endsWith('.md') && readFileSync(path.join(folder, file), 'utf8').includes(begin(name)),
  );
  if (found !== undefined) return found;
  throw new UserError(`${folder}: no page has the line ${begin(name)}, where its results belong`);
}

interface KeptReport {
  report: ExperimentReport;
  run: ExperimentRun;
}

/** Reports by experiment, so that several pages of one folder compute each once; undefined: nothing is kept. */
export type KnownReports = Map<string, KeptReport | undefined>;

/** @throws UserError if the kept results are of other jobs */
function keptReport(
  experiment: Experiment,
  folder: string,
  read: ReadShipped,
  known: KnownReports,
): KeptReport | undefined {
  const { name } = experiment;
  if (!known.has(name)) known.set(name, computedReport(experiment, folder, read, known));
  return known.get(name);
}

function computedReport(
  experiment: Experiment,
  folder: string,
  read: ReadShipped,
  known: KnownReports,
): KeptReport | undefined {
  const { name } = experiment;
  const file = resultsFile(folder, name);
  const kept = readKept<ExperimentRunOptions>(file, name);
  if (kept === undefined) return undefined;
  const { options, startedAt, machine } = kept.header;
  const jobs = experiment.plan({ ...options, read });
  const outcomes = keptOutcomes(file, kept.lines, jobs);
  const results = jobs.flatMap((job) => {
    const line = outcomes.get(job.key);
    return line === undefined ? [] : [{ job, outcome: line.outcome }];
  });
  const report = experiment.report(results, { ...options, read });
  const reasons = simulatedTwin(experiment);
  const simulated = reasons && keptReport(reasons, folder, read, known)?.report.claims;
  const claims = withSimulatedReasons(report.claims, simulated ?? []);
  const record = { schemaVersion: 1, experiment: name, options, startedAt, machine } as const;
  const planned = { record: { ...record, jobs: jobs.length, plan: '' }, jobs, failed: 0 };
  return { report: { ...report, claims }, run: runFacts(planned, results.length, options) };
}

/** The simulated experiment with the same statements as one of the lab. */
const simulatedTwin = (experiment: Experiment): Experiment | undefined =>
  experiments.find(({ name }) => kernelExperiments[name]?.name === experiment.name);

/**
 * The pages and pictures that an experiment's kept results give.
 * @param known reports of this folder that are computed already; gets those computed here
 * @returns undefined if nothing is kept
 * @throws UserError if the results are of other jobs, or no page has a place for them
 */
export function keptPages(
  experiment: Experiment,
  folder: string,
  read: ReadShipped,
  known: KnownReports = new Map(),
): PageFiles | undefined {
  const kept = keptReport(experiment, folder, read, known);
  if (kept === undefined) return undefined;
  const { name } = experiment;
  const { report, run } = kept;
  const page = pageOf(folder, name);
  const text = readFileSync(path.join(folder, page), 'utf8');
  const [from, to] = [text.indexOf(begin(name)) + begin(name).length, text.indexOf(end(name))];
  if (to < from)
    throw new UserError(`${path.join(folder, page)}: the line ${end(name)} is missing`);
  const section = [
    '<!-- prettier-ignore-start -->',
    resultsSection(report, run),
    '<!-- prettier-ignore-end -->',
  ].join('\n\n');
  return new Map([
    [page, `${text.slice(0, from)}\n\n${section}\n\n${text.slice(to)}`],
    ...report.figures.map((figure, index): [string, string] => [
      pictureFile(name, index),
      experimentPicture(figure),
    ]),
  ]);
}

/** Pictures of an experiment that are there. */
function picturesOf(folder: string, name: string): string[] {
  const pictures = path.join(folder, path.dirname(pictureFile(name, 0)));
  if (!existsSync(pictures)) return [];
  const own = new RegExp(`^${name}-\\d+\\.svg$`);
  return readdirSync(pictures)
    .filter((file) => own.test(file))
    .map((file) => path.join(path.dirname(pictureFile(name, 0)), file));
}

/** Renews the page and the pictures of an experiment. @returns false if nothing is kept. @throws UserError */
export function writePage(
  experiment: Experiment,
  folder: string,
  read: ReadShipped,
  known?: KnownReports,
): boolean {
  const files = keptPages(experiment, folder, read, known);
  if (files === undefined) return false;
  for (const picture of picturesOf(folder, experiment.name)) {
    if (!files.has(picture)) rmSync(path.join(folder, picture));
  }
  for (const [file, text] of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  return true;
}

/** All experiments that may have kept results. */
export const keptExperiments = (): readonly Experiment[] => [
  ...experiments,
  ...Object.values(kernelExperiments),
];

/** True if a folder has kept results of any experiment. */
export const hasKept = (folder: string): boolean =>
  keptExperiments().some(({ name }) => existsSync(resultsFile(folder, name)));

/** Files that differ from the pages of the kept results. */
export function stalePages(folder: string, read: ReadShipped): string[] {
  const known: KnownReports = new Map();
  return keptExperiments().flatMap((experiment) => {
    const files = keptPages(experiment, folder, read, known) ?? new Map<string, string>();
    const changed = [...files].filter(([file, text]) => {
      const there = path.join(folder, file);
      return !existsSync(there) || readFileSync(there, 'utf8') !== text;
    });
    const left = picturesOf(folder, experiment.name).filter((file) => !files.has(file));
    return [...changed.map(([file]) => file), ...left];
  });
}
