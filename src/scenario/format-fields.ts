import * as v from 'valibot';
import { nearName, notKnown } from './near-name';

/** Longest value that a message repeats. Chosen; no measurement. */
const SHOWN_CHARACTERS = 40;

/** Rejects a list where a map is expected: valibot accepts any object as a map. */
const LIST = Symbol('list');

type Run = (dataset: { value?: unknown }, config: unknown) => unknown;

/** The value found, in few words. */
export function kindOf(input: unknown): string {
  if (input === LIST) return 'a list';
  if (input === null || input === undefined) return 'nothing';
  if (Array.isArray(input)) return 'a list';
  if (typeof input === 'object') return 'a map';
  // eslint-disable-next-line @typescript-eslint/no-base-to-string -- only numbers and booleans remain
  const shown = typeof input === 'string' ? `"${input}"` : String(input);
  return shown.length > SHOWN_CHARACTERS ? `${shown.slice(0, SHOWN_CHARACTERS)}...` : shown;
}

function unknownField(key: string, allowed: readonly string[]): string {
  const near = nearName(key, allowed);
  const meant = near === undefined ? '' : `; did you mean ${near}?`;
  return `there is no such field${meant} (allowed: ${allowed.join(', ')})`;
}

/** A map with exactly these fields; its errors list the allowed fields and suggest the nearest. */
export function fields<const T extends v.ObjectEntries>(entries: T) {
  const names = Object.keys(entries);
  const schema = v.strictObject(entries, (issue) => {
    const key = issue.path?.at(-1)?.key;
    if (issue.expected === 'never' && typeof key === 'string') return unknownField(key, names);
    if (issue.expected === 'Object') {
      return `expected a map with ${names.join(', ')}, not ${kindOf(issue.input)}`;
    }
    return 'is missing';
  });
  const run = schema['~run'].bind(schema) as Run;
  const withoutLists: Run = (dataset, config) =>
    run(Array.isArray(dataset.value) ? { value: LIST } : dataset, config);
  return { ...schema, '~run': withoutLists } as typeof schema;
}

/** One word of a list. */
export function oneOf<const T extends readonly string[]>(names: T, what = 'one of these') {
  return v.picklist(names, (issue) =>
    typeof issue.input === 'string'
      ? notKnown(issue.input, what, names)
      : `expected one of ${names.join(', ')}, not ${kindOf(issue.input)}`,
  );
}

/** Text of any number of lines. */
export const text = (max = 4000) =>
  v.pipe(
    v.string((issue) => `expected text, not ${kindOf(issue.input)}`),
    v.maxLength(max, `expected at most ${max} characters`),
  );

const FILE_NAME = /^.+$/;

/** Name of a file or folder: text of one line. */
export const fileName = (max = 400) =>
  v.pipe(text(max), v.regex(FILE_NAME, 'expected the name of a file, in one line'));

/** Without a zone (`%eth0`), which belongs to one machine. */
const PLAIN_IPV6 = /^[\da-fA-F:.]+$/;

/** An IPv4 or IPv6 address: it becomes part of commands, so nothing else may stand beside it. */
export const ipAddress = () =>
  v.union(
    [v.pipe(v.string(), v.ipv4()), v.pipe(v.string(), v.ipv6(), v.regex(PLAIN_IPV6))],
    (issue) => `expected an IP address such as 192.0.2.1, not ${kindOf(issue.input)}`,
  );

/** An integer. */
export const whole = (min: number, max: number) => {
  const message = `expected a whole number from ${min} to ${max}`;
  return v.pipe(
    v.number(message),
    v.integer(message),
    v.minValue(min, message),
    v.maxValue(max, message),
  );
};

export const flag = () =>
  v.boolean((issue) => `expected true or false, not ${kindOf(issue.input)}`);

export const list = <const T extends v.GenericSchema>(item: T, max = 1000) =>
  v.pipe(
    v.array(item, (issue) => `expected a list (- ... lines), not ${kindOf(issue.input)}`),
    v.maxLength(max, `expected at most ${max} entries`),
  );

const NAME = /^[a-z][a-z0-9-]{0,14}$/;
const NAME_MESSAGE =
  'a name has 1 to 15 of a-z, 0-9 and -, beginning with a letter (it names an interface)';

/** Name of a node, link or path. */
export const name = () => v.pipe(v.string(NAME_MESSAGE), v.regex(NAME, NAME_MESSAGE));

/** A map from names to values, in the order written. */
export const byName = <const T extends v.GenericSchema>(item: T, what: string) =>
  v.pipe(
    v.record(
      name(),
      item,
      (issue) => `expected a map of ${what} by name, not ${kindOf(issue.input)}`,
    ),
    v.minEntries(1, `expected at least one entry: a map of ${what} by name`),
    v.maxEntries(64, `expected at most 64 entries`),
  );
