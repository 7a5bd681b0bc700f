import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseScenario } from '.';

const files = readdirSync('scenarios', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml') && !name.endsWith('.sweep.yaml'))
  .map((name) => path.join('scenarios', name));

const read = (file: string): string => readFileSync(file, 'utf8');

describe('shipped scenarios', () => {
  it.each(files)('%s parses, names its source and its schema', (file) => {
    const text = read(file);
    const scenario = parseScenario(text, file, {
      files: { resolve: (name) => path.resolve(path.dirname(file), name), read },
    });
    expect(scenario.source.length).toBeGreaterThan(20);
    expect(scenario.title).not.toBe(scenario.name);
    const [, schema = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
    expect(path.resolve(path.dirname(file), schema)).toBe(
      path.resolve('docs/scenario.schema.json'),
    );
  });
});
