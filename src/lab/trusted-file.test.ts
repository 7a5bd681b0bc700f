import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { currentRunner, privateGroup, trustOf, type Runner } from './trusted-file';

const distrust = (file: string, runner?: Runner): string | undefined =>
  trustOf(file, runner).problem;

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

  it('follows a symbolic link to its target', () => {
    const link = path.join(base, 'link');
    symlinkSync(program, link);
    chmodSync(path.dirname(program), 0o777);
    expect(distrust(link)).toMatch(/shared\/bin can be written by everybody/);
  });

  it("refuses a file that a group may write, unless it is the user's own group", () => {
    chmodSync(program, 0o775);
    const runner = currentRunner();
    const { gid } = statSync(program);
    expect(distrust(program, { ...runner, privateGid: gid })).toBeUndefined();
    const shared = distrust(program, { ...runner, privateGid: undefined });
    expect(shared).toBe(gid === 0 ? undefined : `${program} can be written by group ${gid}`);
  });

  it.skipIf(!isRoot)('does not trust a group that has other members [needs root]', () => {
    chmodSync(program, 0o775);
    chownSync(program, 0, 12345);
    expect(distrust(program)).toBe(`${program} can be written by group 12345`);
  });

  it.skipIf(!isRoot)("does not follow another user's link [needs root]", () => {
    const folder = path.join(base, 'theirs');
    mkdirSync(folder);
    symlinkSync(program, path.join(folder, 'link'));
    lchownSync(path.join(folder, 'link'), 12345, 12345);
    expect(distrust(path.join(folder, 'link'))).toBe(
      `${path.join(folder, 'link')} belongs to user 12345`,
    );
    symlinkSync('theirs', path.join(base, 'way'));
    chownSync(folder, 12345, 12345);
    expect(distrust(path.join(base, 'way/link'))).toBe(`${folder} belongs to user 12345`);
  });

  it('returns the path that it judged, without links', () => {
    const link = path.join(base, 'link');
    symlinkSync(program, link);
    expect(trustOf(link)).toEqual({ real: program, problem: undefined });
  });

  it.skipIf(!isRoot)('does not trust what belongs to somebody else [needs root]', () => {
    chownSync(program, 12345, 12345);
    expect(distrust(program)).toBe(`${program} belongs to user 12345`);
    const runner = { ...currentRunner(), unmappedUid: 12345 };
    expect(distrust(program, runner)).toBeUndefined();
  });
});

describe('privateGroup', () => {
  const passwd = [
    ['root', 'x', '0', '0'],
    ['ann', 'x', '1000', '1000'],
    ['bob', 'x', '1001', '100'],
    ['eve', 'x', '1002', '100'],
  ];
  const group = [
    ['users', 'x', '100', ''],
    ['ann', 'x', '1000', 'ann'],
    ['team', 'x', '200', 'ann,bob'],
  ];

  it("is a group without other members, by their entries and by the users' primary groups", () => {
    expect(privateGroup(1000, 1000, passwd, group)).toBe(1000);
    expect(privateGroup(1001, 100, passwd, group)).toBeUndefined();
    expect(privateGroup(1000, 200, passwd, group)).toBeUndefined();
  });

  it('is none where the group is not listed, as with a directory service', () => {
    expect(privateGroup(1000, 5000, passwd, group)).toBeUndefined();
    expect(privateGroup(1000, 1000, [], [])).toBeUndefined();
  });
});
