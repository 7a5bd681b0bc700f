import { toJsonSchema } from '@valibot/to-json-schema';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import { scenarioFormat } from './index';

const file = path.resolve('docs/scenario.schema.json');

it('publishes the schema that scenarios are read by (after a change: npx vitest run -u src/scenario)', async () => {
  const { $schema, ...schema } = toJsonSchema(scenarioFormat, {
    typeMode: 'input',
    errorMode: 'throw',
  });
  const whole = {
    $schema,
    title: 'multipath-dash scenario',
    description: 'Fields are described in scenarios/README.md.',
    ...schema,
  };
  const options = await resolveConfig(file);
  const json = await format(JSON.stringify(whole), { ...options, parser: 'json' });
  await expect(json).toMatchFileSnapshot(file);
});
