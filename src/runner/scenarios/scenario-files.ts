import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { errorText } from '../../core';
import { createPolicy, PolicyConfigError } from '../../policy';
import {
  nearName,
  parseScenario,
  type ParseScenarioOptions,
  portableScenario,
  type PlayerSpec,
  type PortableScenario,
  type Scenario,
  type ScenarioFiles,
} from '../../scenario';
import { UserError } from '../host/user-error';
import { packageRoot } from '../host/package-root';

/** Larger traces are a mistake. */
const MAX_FILE_BYTES = 64e6;

/** Scenarios bundled with the program. */
export const shippedScenarios = (): string => path.join(packageRoot(), 'scenarios');

function readText(file: string): string {
  if (!statSync(file).isFile()) throw new Error('it is no file');
  if (statSync(file).size > MAX_FILE_BYTES) throw new Error('it is larger than 64 MB');
  return readFileSync(file, 'utf8');
}

/** Returns true if a file describes a sweep of scenarios and is not a scenario itself. */
export const isSweepFile = (file: string): boolean => /\.sweep\.ya?ml$/.test(file);

/** Settings of a scenario that the command line overrides. */
export type ScenarioChanges = Omit<ParseScenarioOptions, 'files'>;

/**
 * Reads a scenario file. Paths of traces and media are relative to its folder.
 * @throws ScenarioError on any error in it, UserError if it cannot be read
 */
export function readScenario(file: string, changes: ScenarioChanges = {}): Scenario {
  let text: string;
  try {
    text = readText(file);
  } catch (error) {
    throw new UserError(`${file} cannot be read: ${errorText(error)}`, 2);
  }
  const scenario = parseScenario(text, file, { ...changes, files: filesBeside(file) });
  for (const player of scenario.players) checkPolicy(file, player);
  return scenario;
}

/** Paths of traces and media are relative to the scenario's folder. */
function filesBeside(file: string): ScenarioFiles {
  const folder = path.dirname(path.resolve(file));
  return { resolve: (reference) => path.resolve(folder, reference), read: readText };
}

/** An already parsed scenario, as a file for another machine. @throws ScenarioError */
export const copyScenario = (file: string, changes: ScenarioChanges = {}): PortableScenario =>
  portableScenario(readText(file), file, { ...changes, files: filesBeside(file) });

/** @throws UserError naming the setting that a player's policy does not accept */
function checkPolicy(file: string, { id, carriage, policyConfig = {} }: PlayerSpec): void {
  if (carriage.kind !== 'policy') return;
  try {
    createPolicy(carriage.policy, policyConfig);
  } catch (error) {
    if (!(error instanceof PolicyConfigError)) throw error;
    throw new UserError(`${file}: player ${id}: policyConfig: ${error.message}`, 2);
  }
}

/** The bundled scenario with the nearest name, with or without its folder. */
function nearScenario(target: string): string | undefined {
  const names = readdirSync(shippedScenarios(), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ya?ml$/.test(name) && !isSweepFile(name))
    .map((name) => name.replace(/\.ya?ml$/, ''));
  const wanted = target.replace(/\.ya?ml$/, '');
  const whole = nearName(wanted, names);
  if (whole !== undefined) return whole;
  const base = nearName(
    path.basename(wanted),
    names.map((name) => path.basename(name)),
  );
  return names.find((name) => path.basename(name) === base);
}

/**
 * Returns the scenario files of a file or folder name (with `deep`, and its sub-folders). A name that is
 * neither is searched among the bundled scenarios, with or without `.yaml`.
 * @throws UserError if there are none
 */
export function scenarioFiles(target: string, deep = false): string[] {
  if (target.trim() === '') throw new UserError('the name of a scenario is empty', 2);
  const shipped = path.join(shippedScenarios(), target);
  const found = [target, shipped, `${shipped}.yaml`].find((candidate) => existsSync(candidate));
  if (found === undefined) {
    const near = nearScenario(target);
    const hint = near === undefined ? 'see `multipath-dash lab list`' : `did you mean ${near}?`;
    throw new UserError(`${target}: there is no such scenario file or folder; ${hint}`, 2);
  }
  if (statSync(found).isFile()) return [found];
  const files = readdirSync(found, { recursive: deep, encoding: 'utf8' })
    .filter((name) => /\.ya?ml$/.test(name) && !isSweepFile(name))
    .sort()
    .map((name) => path.join(found, name));
  if (files.length === 0) throw new UserError(`${found}: there is no scenario (*.yaml) in it`, 2);
  return files;
}
