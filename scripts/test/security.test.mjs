import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Claims name tests as `path/to/file.test.ts` or, in the folder of the one before, as `file.test.ts`; titles follow in quotes. */
function namedTests(text) {
  const found = [];
  let folder = '';
  for (const [, file, title] of text.matchAll(
    /`([\w./-]+\.(?:spec|test)\.(?:ts|mjs))`(?:(?: with)?\s+"([^"]+)")?/g,
  )) {
    const whole = file.includes('/') ? file : `${folder}/${file}`;
    folder = whole.slice(0, whole.lastIndexOf('/'));
    found.push({ file: whole, title: title?.replaceAll(/\s+/g, ' ') });
  }
  return found;
}

it('each claim of SECURITY.md names a test that exists', () => {
  const [, claims] = readFileSync('SECURITY.md', 'utf8').split('## Claims');
  const tests = namedTests(claims ?? '');
  expect(tests.length).toBeGreaterThan(30);
  for (const { file, title } of tests) {
    expect(existsSync(file), file).toBe(true);
    if (title !== undefined) expect(readFileSync(file, 'utf8'), file).toContain(title);
  }
});
