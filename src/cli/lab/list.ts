import path from 'node:path';
import { errorText, printableLine } from '../../core';
import { print, writeJson } from '../../runner/host';
import { readScenario, scenarioFiles, shippedScenarios } from '../../runner/scenarios';

/** One scenario in the output of `lab list`. */
export interface ListedScenario {
  file: string;
  name: string;
  title: string;
  source: string;
  paths: readonly string[];
  players: readonly string[];
  trials: number;
  durationMs: number;
  /** Reason why it cannot run, if there is one. */
  error?: string;
}

export function listScenarios(target: string = shippedScenarios()): ListedScenario[] {
  return scenarioFiles(target, true).map((file) => {
    const shown = path.relative(process.cwd(), path.resolve(file));
    const near = shown.startsWith('..') ? file : shown;
    try {
      const scenario = readScenario(file);
      const { name, title, source, trials, durationMs } = scenario;
      const ids = (of: readonly { id: string }[]): string[] => of.map(({ id }) => id);
      const paths = ids(scenario.topology.paths);
      return {
        file: near,
        name,
        title,
        source,
        paths,
        players: ids(scenario.players),
        trials,
        durationMs,
      };
    } catch (error) {
      const message = errorText(error);
      const name = path.basename(file);
      return {
        ...{ file: near, name, title: '', source: '', paths: [], players: [] },
        ...{ trials: 0, durationMs: 0, error: message },
      };
    }
  });
}

/** Playing time of all trials in minutes, without start-up and set-up. */
const minutes = ({ durationMs, players, trials }: ListedScenario): string =>
  ((durationMs * players.length * trials) / 60_000).toFixed(0);

const count = (number: number, noun: string): string =>
  `${number} ${noun}${number === 1 ? '' : 's'}`;

/** The readable form of a scenario. Its texts are the author's. */
function scenarioLines(scenario: ListedScenario): string {
  const { file, title, paths, players, trials, error } = scenario;
  const lines =
    error === undefined
      ? [
          title,
          `${paths.join(', ')}; ${count(players.length, 'player')} x ${count(trials, 'trial')}, ${minutes(scenario)} min of playing`,
        ]
      : `cannot be run: ${error}`.split('\n');
  return [file, ...lines.map((line) => `    ${line}`)]
    .map((line) => `${printableLine(line)}\n`)
    .join('');
}

/** `lab list [DIR]`. */
export function list(target: string | undefined, options: { json?: boolean }): void {
  const scenarios = listScenarios(target);
  if (options.json === true) {
    writeJson('-', { scenarios });
  } else {
    print(process.stdout, scenarios.map(scenarioLines).join(''));
  }
  if (scenarios.some(({ error }) => error !== undefined)) process.exitCode = 1;
}
