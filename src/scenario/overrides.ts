import { parseDocument } from 'yaml';
import type { ScenarioPath } from './problems';

/** A field given on the command line, in place of the file's. */
export interface Override {
  /** As written: `--set trials=3`. */
  option: string;
  path: ScenarioPath;
  value: unknown;
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Reads `key=value`: a dotted path (`players.0.abr`), and a value as the file would have it.
 * @returns what is wrong, as a text, when it cannot be read
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
  if (error !== undefined) return `${key}: ${error.message.split('\n')[0] ?? ''}`;
  try {
    return { option: `--set ${text}`, path, value: document.toJS() as unknown };
  } catch (failure) {
    return `${key}: ${failure instanceof Error ? failure.message : String(failure)}`;
  }
}

/** A copy with one field replaced; maps are made on the way, lists are not. @returns undefined when there is no place for it */
function replace(value: unknown, path: ScenarioPath, field: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return field;
  if (Array.isArray(value)) {
    const index = Number(key);
    // One past the end adds.
    if (!(index >= 0 && index <= value.length)) return undefined;
    const inner = replace(value[index] ?? {}, rest, field);
    return inner === undefined
      ? undefined
      : Object.assign([...(value as unknown[])], { [index]: inner });
  }
  const map = isMap(value) ? value : {};
  const inner = replace(map[String(key)], rest, field);
  return inner === undefined ? undefined : { ...map, [key]: inner };
}

/** The file's content with the overrides in it; those there is no place for are returned. */
export function applyOverrides(
  content: unknown,
  overrides: readonly Override[],
): { content: unknown; misplaced: Override[] } {
  let changed = content;
  const misplaced: Override[] = [];
  for (const override of overrides) {
    const next = replace(changed, override.path, override.value);
    if (next === undefined) misplaced.push(override);
    else changed = next;
  }
  return { content: changed, misplaced };
}

/** The override a path lies in or around, if any: the last one wins. */
export function overrideAt(
  overrides: readonly Override[],
  path: ScenarioPath,
): Override | undefined {
  const isWithin = (outer: ScenarioPath, inner: ScenarioPath): boolean =>
    outer.every((key, index) => String(key) === String(inner[index]));
  return [...overrides].reverse().find(({ path: own }) => isWithin(own, path));
}
