import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { currentRunner, distrust } from './trusted-file';

const isRoot = process.getuid?.() === 0;
let base = '';
let program = '';

beforeEach(() => {
  base = mkdtempSync(path.join(os.tmpdir(), 'mpd-trusted-'));
  mkdirSync(path.join(base, 'shared/bin'), { recursive: true });
  program = path.join(base, 'shared/bin/program');
  writeFileSync(program, '');
  chmodSync(program, 0o755);
});
afterEach(() => rmSync(base, { recursive: true }));

describe('distrust', () => {
  it('trusts a file of our own below a sticky folder such as /tmp', () => {
    expect(distrust(program)).toBeUndefined();
  });

  it('names the file or the folder, however far above, that everybody can write', () => {
    chmodSync(path.join(base, 'shared'), 0o777);
    expect(distrust(program)).toBe(`${path.join(base, 'shared')} can be written by everybody`);
    chmodSync(path.join(base, 'shared'), 0o755);
    chmodSync(program, 0o757);
    expect(distrust(program)).toBe(`${program} can be written by everybody`);
  });

  it('looks where a symbolic link leads', () => {
    const link = path.join(base, 'link');
    symlinkSync(program, link);
    chmodSync(path.dirname(program), 0o777);
    expect(distrust(link)).toMatch(/shared\/bin can be written by everybody/);
  });

  it("takes a group's right to write for a stranger's, unless it is the user's own group", () => {
    chmodSync(program, 0o775);
    const runner = currentRunner();
    expect(distrust(program, runner)).toBeUndefined();
    const other = { ...runner, gid: runner.gid + 1 };
    if (runner.gid !== 0) expect(distrust(program, other)).toMatch(/written by group/);
  });

  it.skipIf(!isRoot)('does not trust what belongs to somebody else [needs root]', () => {
    chownSync(program, 12345, 12345);
    expect(distrust(program)).toBe(`${program} belongs to user 12345`);
    const runner = { ...currentRunner(), unmappedUid: 12345 };
    expect(distrust(program, runner)).toBeUndefined();
  });
});
