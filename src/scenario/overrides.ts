import { parseDocument } from 'yaml';
import { errorText, isRecord } from '../core';
import { kindOf } from './format-fields';
import { notKnown } from './near-name';
import type { ScenarioPath } from './problems';
import { longForm } from './short-forms';

/** A field from the command line that replaces the file's. */
export interface Override {
  /** The option as written: `--set trials=3`. */
  option: string;
  path: ScenarioPath;
  value: unknown;
}

/** The problem alone: without the place and the excerpt that the parser adds. */
export const yamlMessage = ({ message }: Error): string =>
  message.split(/ at line \d+|\n/)[0] ?? message;

/**
 * Reads `key=value`: a dotted path (`players.0.abr`), and a value in the file's syntax.
 * @returns an error text if it cannot be read
 */
export function parseOverride(text: string): Override | string {
  const [, key = '', written = ''] = /^([^=]*)=([\s\S]*)$/.exec(text) ?? [];
  const path = key.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part));
  const names = path.map(String);
  if (key === '' || names.includes('') || names.includes('__proto__')) {
    return 'expected KEY=VALUE, such as trials=3 or topology.paths.wifi.rate=8mbit';
  }
  const document = parseDocument(written, { logLevel: 'error' });
  const [error] = document.errors;
  if (error !== undefined) return `${key}: ${yamlMessage(error)}`;
  try {
    return { option: `--set ${text}`, path, value: document.toJS() as unknown };
  } catch (failure) {
    return `${key}: ${errorText(failure)}`;
  }
}

/** An override that does not fit, with the reason. */
class Misfit extends Error {}

/**
 * A copy with one field replaced; missing maps are created, missing list entries are not.
 * @param at place of the value
 * @throws Misfit
 */
function replace(value: unknown, path: ScenarioPath, field: unknown, at: ScenarioPath): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return field;
  const below = [...at, key];
  if (Array.isArray(value)) {
    const index = Number(key);
    // The index past the end appends.
    if (!(index >= 0 && index <= value.length))
      throw new Misfit('there is no such entry in the list');
    const inner = replace(value[index] ?? {}, rest, field, below);
    return Object.assign([...(value as unknown[])], { [index]: inner });
  }
  const map = longForm(at, value);
  if (map === undefined) {
    throw new Misfit(`${at.join('.')} is ${kindOf(value)}, which has no fields: set it as a whole`);
  }
  return { ...map, [key]: replace(map[String(key)], rest, field, below) };
}

/** Maps of a topology whose keys are names that the file gives. */
const NAMED = ['paths', 'access', 'nodes', 'links', 'congestionControls'];

/**
 * The reason why an override does not fit: its parent is missing in the file. A misspelt name would otherwise
 * create a new path. A new path is added with its whole content.
 */
function misfit(content: unknown, { path }: Override): string | undefined {
  const [topology, list, name, ...rest] = path;
  if (topology !== 'topology' || !NAMED.includes(String(list)) || rest.length === 0) {
    return undefined;
  }
  const within = isRecord(content) && isRecord(content['topology']) ? content['topology'] : {};
  const named = within[String(list)];
  if (!isRecord(named) || String(name) in named) return undefined;
  return notKnown(String(name), 'a name of this scenario', Object.keys(named));
}

/** Applies the overrides to the file's content and returns those that do not fit. */
export function applyOverrides(
  content: unknown,
  overrides: readonly Override[],
): { content: unknown; misplaced: { override: Override; message: string }[] } {
  let changed = content;
  const misplaced: { override: Override; message: string }[] = [];
  for (const override of overrides) {
    try {
      const message = misfit(changed, override);
      if (message !== undefined) throw new Misfit(message);
      changed = replace(changed, override.path, override.value, []);
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      misplaced.push({ override, message: error.message });
    }
  }
  return { content: changed, misplaced };
}

/**
 * The override that a path lies in, or that created the map around it, if any: the last one wins.
 * @param isWritten the file has this path; a path that it lacks was created by an override
 */
export function overrideAt(
  overrides: readonly Override[],
  path: ScenarioPath,
  isWritten: (path: ScenarioPath) => boolean,
): Override | undefined {
  const isWithin = (outer: ScenarioPath, inner: ScenarioPath): boolean =>
    outer.every((key, index) => String(key) === String(inner[index]));
  const newest = [...overrides].reverse();
  const around = newest.find(({ path: own }) => isWithin(own, path));
  if (around !== undefined) return around;
  for (let at = path; at.length > 0 && !isWritten(at); at = at.slice(0, -1)) {
    const creator = newest.find(({ path: own }) => isWithin(at, own));
    if (creator !== undefined) return creator;
  }
  return undefined;
}
