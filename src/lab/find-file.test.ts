import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findOwnProgram } from './find-file';

const TOOL = 'native/build/mpd-tool';

describe('findOwnProgram', () => {
  let base = '';
  beforeEach(() => (base = mkdtempSync(join(tmpdir(), 'mpd-find-'))));
  afterEach(() => rmSync(base, { recursive: true }));
  const place = (text: string, ...names: string[]): string => {
    const file = join(base, ...names);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  const packageFile = (...names: string[]): string =>
    place('{"name":"multipath-dash"}', ...names, 'package.json');

  it('finds the program in the package of the running script', () => {
    packageFile('checkout');
    place('{"name":"vitest"}', 'checkout/node_modules/vitest/package.json');
    const tool = place('', 'checkout', TOOL);
    const scripts = ['checkout/dist/cli/main.js', 'checkout/node_modules/vitest/vitest.mjs'];
    for (const script of scripts) expect(findOwnProgram(TOOL, place('', script))).toBe(tool);
  });

  it('takes none from a folder further up, nor from the working folder', () => {
    packageFile('checkout');
    place('', TOOL);
    const script = place('', 'checkout/dist/main.js');
    expect(findOwnProgram(TOOL, script)).toBeUndefined();
    expect(findOwnProgram('package.json', join(tmpdir(), 'no-such-script.js'))).toBeUndefined();
    expect(findOwnProgram(TOOL, place('', 'elsewhere/main.js'))).toBeUndefined();
  });

  it.skipIf(process.getuid?.() !== 0)(
    "takes no folder for the package's because of another user's file [needs root]",
    () => {
      chownSync(packageFile(), 65534, 65534);
      place('', TOOL);
      expect(findOwnProgram(TOOL, place('', 'job/main.js'))).toBeUndefined();
    },
  );
});
