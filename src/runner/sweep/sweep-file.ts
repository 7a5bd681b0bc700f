import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { parse } from 'yaml';
import { errorText } from '../../core';
import { UserError } from '../host/user-error';
import { isSweepFile, shippedScenarios } from '../scenarios/scenario-files';

const one = v.union([v.string(), v.number(), v.boolean()], 'expected a text or a number');
const names = v.pipe(v.array(v.string()), v.minLength(1));
const whole = (from: number, to: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(from), v.maxValue(to));

const sweepFormat = v.strictObject({
  title: v.optional(v.string()),
  scenario: v.union([v.string(), names], 'expected a scenario, or a list of them'),
  set: v.optional(
    v.record(
      v.string(),
      v.union(
        [one, v.array(v.unknown())],
        'expected FROM..TO, FROM..TO/STEPS, one value or a list of values',
      ),
    ),
  ),
  players: v.optional(names),
  schedulers: v.optional(names),
  congestion: v.optional(names),
  sample: v.optional(whole(1, 1_000_000)),
  trials: v.optional(whole(1, 100_000)),
  seed: v.optional(whole(0, 4_294_967_295)),
  /** Playing time of a session. */
  seconds: v.optional(v.pipe(v.number(), v.gtValue(0), v.maxValue(7200))),
});

/** The content of a sweep file. Values are texts as after `--set`. */
export interface SweepFile {
  title?: string | undefined;
  scenarios: readonly string[];
  set: readonly { path: string; text: string }[];
  players?: readonly string[] | undefined;
  schedulers?: readonly string[] | undefined;
  congestion?: readonly string[] | undefined;
  sample?: number | undefined;
  trials?: number | undefined;
  seed?: number | undefined;
  seconds?: number | undefined;
}

/** A value of a list, as on one line of a scenario file. */
const asText = (value: unknown): string =>
  typeof value === 'string' && !/[,{}[\]"]/.test(value) ? value : JSON.stringify(value);

/** The sweep file of a name: an existing one, or a bundled one. Undefined for scenarios. */
export function findSweepFile(target: string): string | undefined {
  const shipped = path.join(shippedScenarios(), 'sweeps', `${target}.sweep.yaml`);
  return [target, path.join(shippedScenarios(), target), shipped].find(
    (file) => isSweepFile(file) && existsSync(file),
  );
}

/** Reads a sweep file. @throws UserError naming the invalid field */
export function readSweepFile(file: string): SweepFile {
  let content: unknown;
  try {
    content = parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UserError(`${file} cannot be read: ${errorText(error)}`, 2);
  }
  const parsed = v.safeParse(sweepFormat, content);
  if (!parsed.success) {
    const lines = parsed.issues.map(
      (issue) => `${file}: ${v.getDotPath(issue) ?? 'sweep'}: ${issue.message}`,
    );
    throw new UserError(lines.join('\n'), 2);
  }
  const { scenario, set = {}, ...rest } = parsed.output;
  // A file beside the sweep's, else a bundled one.
  const beside = (name: string): string => {
    const found = path.resolve(path.dirname(file), name);
    return existsSync(found) ? found : name;
  };
  return {
    ...rest,
    scenarios: (typeof scenario === 'string' ? [scenario] : scenario).map(beside),
    set: Object.entries(set).map(([key, value]) => ({
      path: key,
      text: Array.isArray(value) ? value.map(asText).join(',') : String(value),
    })),
  };
}
