import path from 'node:path';
import { errorText } from '../../core';
import { writeJson } from '../../runner/host';
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

/** `lab list [DIR]`. */
export function list(target: string | undefined, options: { json?: boolean }): void {
  const scenarios = listScenarios(target);
  if (options.json === true) {
    writeJson('-', { scenarios });
  } else {
    for (const scenario of scenarios) {
      process.stdout.write(
        scenario.error === undefined
          ? `${scenario.file}\n    ${scenario.title}\n    ${scenario.paths.join(', ')}; ${count(scenario.players.length, 'player')} x ${count(scenario.trials, 'trial')}, ${minutes(scenario)} min of playing\n`
          : `${scenario.file}\n    cannot be run: ${scenario.error.replaceAll('\n', '\n    ')}\n`,
      );
    }
  }
  if (scenarios.some(({ error }) => error !== undefined)) process.exitCode = 1;
}
