import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { createPolicy, PolicyConfigError } from '../../paths';
import {
  parseScenario,
  type ParseScenarioOptions,
  type PlayerSpec,
  type Scenario,
} from '../../scenario';
import { CliError } from '../cli-error';
import { packageRoot } from '../package-root';

/** Larger traces are a mistake. */
const MAX_FILE_BYTES = 64e6;

/** Scenarios that come with the program. */
export const shippedScenarios = (): string => path.join(packageRoot(), 'scenarios');

function readText(file: string): string {
  if (!statSync(file).isFile()) throw new Error('it is no file');
  if (statSync(file).size > MAX_FILE_BYTES) throw new Error('it is larger than 64 MB');
  return readFileSync(file, 'utf8');
}

/** Whether a file says what to sweep of scenarios, and is none itself. */
export const isSweepFile = (file: string): boolean => /\.sweep\.ya?ml$/.test(file);

/** What the command line changes in a scenario. */
export type ScenarioChanges = Omit<ParseScenarioOptions, 'files'>;

/**
 * Reads a scenario file; traces and media are looked for from its folder.
 * @throws ScenarioError on anything wrong in it, CliError when it cannot be read
 */
export function readScenario(file: string, changes: ScenarioChanges = {}): Scenario {
  let text: string;
  try {
    text = readText(file);
  } catch (error) {
    throw new CliError(
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      2,
    );
  }
  const folder = path.dirname(path.resolve(file));
  const scenario = parseScenario(text, file, {
    ...changes,
    files: { resolve: (reference) => path.resolve(folder, reference), read: readText },
  });
  for (const player of scenario.players) checkPolicy(file, player);
  return scenario;
}

/** @throws CliError naming the setting that a player's policy does not take */
function checkPolicy(file: string, { id, carriage, policyConfig = {} }: PlayerSpec): void {
  if (carriage.kind !== 'policy') return;
  try {
    createPolicy(carriage.policy, policyConfig);
  } catch (error) {
    if (!(error instanceof PolicyConfigError)) throw error;
    throw new CliError(`${file}: player ${id}: policyConfig: ${error.message}`, 2);
  }
}

/**
 * The scenario files meant by a file or a folder (with `deep`, and its sub-folders), by name. A name that is neither
 * is looked for among those that come with the program, with or without `.yaml`.
 * @throws CliError when there are none
 */
export function scenarioFiles(target: string, deep = false): string[] {
  const shipped = path.join(shippedScenarios(), target);
  const found = [target, shipped, `${shipped}.yaml`].find((candidate) => existsSync(candidate));
  if (found === undefined) {
    throw new CliError(
      `${target}: there is no such scenario file or folder (see \`multipath-dash lab list\`)`,
      2,
    );
  }
  if (statSync(found).isFile()) return [found];
  const files = readdirSync(found, { recursive: deep, encoding: 'utf8' })
    .filter((name) => /\.ya?ml$/.test(name) && !isSweepFile(name))
    .sort()
    .map((name) => path.join(found, name));
  if (files.length === 0) throw new CliError(`${found}: there is no scenario (*.yaml) in it`, 2);
  return files;
}
