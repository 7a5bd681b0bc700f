import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { errorText } from '../../core';
import {
  comparisonCsv,
  renderResults,
  scenarioCharts,
  scenarioResults,
  trialsCsv,
  type ReportAssets,
  type Results,
  type ScenarioCharts,
} from '../../report';
import type { Metric } from '../../qoe';
import { makeFolder, SHARED_FOLDER } from '../../transport';
import { UserError } from '../host/user-error';
import { packageRoot } from '../host/package-root';
import { writeJson } from '../host/output';
import { writeWhole } from '../host/write-whole';
import { withoutCopies, type OpenRun } from './copied-runs';
import { readTrial, type ReadTrial } from './run-folder';
import { readRun } from './run-record';

export interface WriteResultsOptions {
  /** Called with each unreadable or omitted item. Also in `Results.warnings`. */
  onWarning?: (text: string) => void;
  /** Called after each trial was read. */
  onProgress?: (done: number, total: number) => void;
  /** The reference player of the comparison. Default, also for a scenario without that player: the scenario's first. */
  reference?: string;
  /** Replaces the built files of the page in tests. */
  assets?: ReportAssets;
  signal?: AbortSignal;
}

/**
 * Reads the folders of runs (layout: src/scenario/run.ts). Writes `results.json`, `results.csv`,
 * `comparison.csv` and `report.html` to `outDir`, which is created if it is missing. Failed, interrupted and
 * missing trials are reported and left out of the statistics, trials of a copied folder too. Runs of the same scenario are pooled if every player
 * that they share has the same settings. Runs that share only the scenario's name are not.
 * @throws UserError if no folder contains a readable `run.json`, no run has the reference, or `outDir` cannot be written
 */
export async function writeResults(
  runDirs: readonly string[],
  outDir: string,
  options: WriteResultsOptions = {},
): Promise<Results> {
  const warnings: string[] = [];
  const warn = (text: string): void => {
    warnings.push(text);
    options.onWarning?.(text);
  };
  // A folder that is named twice counts once: its trials would count as independent ones.
  const folders = [...new Map(runDirs.map((one) => [realFolder(one), one])).values()];
  const runs = withoutCopies(openRuns(folders, warn), warn);
  checkReference(runs, options.reference);
  const metrics = new Map<string, Metric>();
  const results: Results = {
    schemaVersion: 1,
    generator: `multipath-dash ${packageVersion()}`,
    warnings,
    metrics: [],
    scenarios: [],
  };
  const charts: ScenarioCharts[] = [];
  const total = runs.reduce((sum, { record }) => sum + record.plan.length, 0);
  let done = 0;
  const inputs = [];
  for (const { name, members } of groups(runs)) {
    const trials: ReadTrial[] = [];
    for (const { folder, record } of members) {
      for (const plan of record.plan) {
        options.signal?.throwIfAborted();
        const trial = readTrial(folder, record.scenario, plan);
        const { status, problems } = trial.result;
        if (problems.length > 0)
          warn(`${path.join(folder, plan.folder)}: ${status}: ${problems.join('; ')}`);
        for (const metric of trial.metrics) metrics.set(metric.name, metric);
        trials.push(trial);
        done += 1;
        options.onProgress?.(done, total);
        // Reading a log and finding its optimum blocks the thread. Ctrl-C is handled in between.
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
    inputs.push({ name, members, trials });
  }
  results.metrics = [...metrics.values()];
  for (const { name, members, trials } of inputs) {
    const scenario = members[0]?.record.scenario;
    if (!scenario) continue;
    const one = scenarioResults(
      {
        scenario: name,
        title: scenario.title,
        source: scenario.source,
        description: scenario.description,
        players: playersOf(members),
        runs: members.map(({ folder, record }) => ({
          folder,
          startedAt: record.startedAt,
          machine: record.machine,
        })),
        trials: trials.map((trial) => trial.result),
      },
      results.metrics,
      options.reference,
    );
    results.scenarios.push(one);
    charts.push(scenarioCharts(one, results.metrics, trials));
  }
  writeFiles(results, charts, outDir, options.assets ?? builtAssets());
  return results;
}

function openRuns(runDirs: readonly string[], warn: (text: string) => void): OpenRun[] {
  const runs: OpenRun[] = [];
  for (const folder of runDirs) {
    try {
      runs.push({ folder, record: readRun(folder) });
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      if (runDirs.length === 1) throw error;
      warn(error.message);
    }
  }
  if (runs.length === 0) {
    throw new UserError(
      'no run to report: give folders that `multipath-dash lab run` has written',
      2,
    );
  }
  return runs;
}

/** @throws UserError if no run has the player of `--reference` */
function checkReference(runs: readonly OpenRun[], reference: string | undefined): void {
  const players = playersOf(runs);
  if (reference === undefined || players.includes(reference)) return;
  throw new UserError(
    `--reference ${reference}: no run has this player; choose one of ${players.join(', ')}`,
    2,
  );
}

/** The same player name may stand for other settings, such as another buffer target. */
function havePlayersAlike(a: OpenRun, b: OpenRun): boolean {
  const others = new Map(b.record.scenario.players.map((player) => [player.id, player]));
  return a.record.scenario.players.every((player) => {
    const other = others.get(player.id);
    return other === undefined || isDeepStrictEqual(player, other);
  });
}

/**
 * Runs are pooled if the scenario is equal, apart from the number of trials and from players that only one of
 * the runs has.
 */
function groups(runs: readonly OpenRun[]): { name: string; members: OpenRun[] }[] {
  const byKey = new Map<string, OpenRun[][]>();
  for (const run of runs) {
    const key = JSON.stringify({ ...run.record.scenario, players: [], trials: 0 });
    const alike = byKey.get(key) ?? [];
    byKey.set(key, alike);
    const group = alike.find((members) => members.every((member) => havePlayersAlike(member, run)));
    if (group === undefined) alike.push([run]);
    else group.push(run);
  }
  const all = [...byKey.values()].flat();
  const nameOf = (members: readonly OpenRun[]): string => members[0]?.record.scenario.name ?? '';
  return all.map((members) => {
    const name = nameOf(members);
    const shared = all.filter((other) => nameOf(other) === name).length > 1;
    return {
      name: shared ? `${name} (${path.basename(members[0]?.folder ?? '')})` : name,
      members,
    };
  });
}

function playersOf(members: readonly OpenRun[]): string[] {
  return [
    ...new Set(members.flatMap(({ record }) => record.scenario.players.map((player) => player.id))),
  ];
}

function packageVersion(): string {
  const text = readFileSync(path.join(packageRoot(), 'package.json'), 'utf8');
  return String((JSON.parse(text) as { version?: unknown }).version);
}

/** The built client of the page. @throws UserError if it was not built */
export function builtAssets(): ReportAssets {
  const folder = path.join(packageRoot(), 'dist/report');
  if (!existsSync(path.join(folder, 'report-client.js'))) {
    throw new UserError(`${folder} holds no report-client.js: run \`npm run build\``);
  }
  return {
    clientJs: readFileSync(path.join(folder, 'report-client.js'), 'utf8'),
    clientCss: readFileSync(path.join(folder, 'report-client.css'), 'utf8'),
    nonce: randomBytes(18).toString('base64'),
  };
}

function writeFiles(
  results: Results,
  charts: readonly ScenarioCharts[],
  outDir: string,
  assets: ReportAssets,
): void {
  try {
    makeFolder(outDir, SHARED_FOLDER);
    writeJson(path.join(outDir, 'results.json'), results);
    writeWhole(path.join(outDir, 'results.csv'), trialsCsv(results));
    writeWhole(path.join(outDir, 'comparison.csv'), comparisonCsv(results));
    writeWhole(path.join(outDir, 'report.html'), renderResults(results, charts, assets));
  } catch (error) {
    const reason = errorText(error);
    throw new UserError(`${outDir} cannot be written (${reason}): choose another with --out`);
  }
}

/** A folder's name without links. A missing one is reported when it is opened. */
function realFolder(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : path.resolve(folder);
}
