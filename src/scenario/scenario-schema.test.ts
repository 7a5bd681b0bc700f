import { toJsonSchema } from '@valibot/to-json-schema';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import { scenarioFormat } from './format';

/** Below this number of characters a reference saves hardly anything. */
const MIN_SHARED = 120;

const file = path.resolve('docs/scenario.schema.json');

it('publishes the schema that scenarios are validated by (after a change: npx vitest run -u src/scenario)', async () => {
  const { $schema, ...schema } = toJsonSchema(scenarioFormat, {
    typeMode: 'input',
    errorMode: 'throw',
  });
  const whole = {
    $schema,
    title: 'multipath-dash scenario',
    description: 'Fields are described in scenarios/README.md.',
    ...shareDefinitions(schema),
  };
  const options = await resolveConfig(file);
  const json = await format(JSON.stringify(whole), { ...options, parser: 'json' });
  await expect(json).toMatchFileSnapshot(file);
});

/** Repeated parts, such as the fields of a link, are defined once below `$defs`. */
function shareDefinitions(schema: object): object {
  const seen = new Map<string, number>();
  const count = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const text = JSON.stringify(value);
    if (!Array.isArray(value) && text.length > MIN_SHARED) {
      seen.set(text, (seen.get(text) ?? 0) + 1);
    }
    Object.values(value).forEach(count);
  };
  count(schema);
  const names = new Map<string, string>();
  const $defs: Record<string, unknown> = {};
  const share = (value: unknown, key: string): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => share(item, key));
    const inner = (): object =>
      Object.fromEntries(Object.entries(value).map(([name, part]) => [name, share(part, name)]));
    const text = JSON.stringify(value);
    if ((seen.get(text) ?? 0) < 2) return inner();
    let name = names.get(text);
    if (name === undefined) {
      name = key in $defs ? `${key}-${names.size}` : key;
      names.set(text, name);
      // The part's position is reserved before its own parts.
      $defs[name] = {};
      $defs[name] = inner();
    }
    return { $ref: `#/$defs/${name}` };
  };
  return { ...(share(schema, 'scenario') as object), $defs };
}
