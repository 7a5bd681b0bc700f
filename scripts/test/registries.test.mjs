import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { registries } from '../registries.mjs';

test.each(await registries())('%s lists what its folder defines', (file, text) => {
  const help = `${file} is out of date: run \`node scripts/registries.mjs\``;
  expect(readFileSync(file, 'utf8'), help).toBe(text);
});
