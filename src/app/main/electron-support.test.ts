import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { electronWarning, NEWEST_KNOWN_ELECTRON } from './electron-support';

it('warns about a release past its end of life, and about no other', () => {
  expect(electronWarning('22.3.25')).toMatch(/Electron 22\.3\.25 is past its end of life/);
  expect(electronWarning(`${NEWEST_KNOWN_ELECTRON - 3}.9.9`)).toBeDefined();
  expect(electronWarning(`${NEWEST_KNOWN_ELECTRON - 2}.0.0`)).toBeUndefined();
  expect(electronWarning(`${NEWEST_KNOWN_ELECTRON + 20}.0.0-beta.1`)).toBeUndefined();
});

it('knows the release of this package’s development dependency', () => {
  const file = path.join(import.meta.dirname, '../../../package.json');
  const { devDependencies } = JSON.parse(readFileSync(file, 'utf8')) as {
    devDependencies: { electron: string };
  };
  expect(devDependencies.electron).toMatch(new RegExp(`^\\^${NEWEST_KNOWN_ELECTRON}\\.`));
});
