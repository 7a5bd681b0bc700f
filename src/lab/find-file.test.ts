import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findUpwards } from './find-file';

describe('findUpwards', () => {
  const files = new Set(['/p/native/build/x', '/q/native/build/x']);
  const usable = (path: string): string | undefined => (files.has(path) ? path : undefined);

  it('finds the file in the nearest folder above, the first start first', () => {
    expect(findUpwards('native/build/x', ['/p/dist/cli', '/q'], usable)).toBe('/p/native/build/x');
    expect(findUpwards('native/build/x', ['/', '/q/dist'], usable)).toBe('/q/native/build/x');
  });

  it('returns undefined if no folder up to the root has it', () => {
    expect(findUpwards('native/build/y', ['/p/dist', '/q'], usable)).toBeUndefined();
  });
});

describe('a file that another user could have put there', () => {
  let base = '';
  beforeEach(() => (base = mkdtempSync(join(tmpdir(), 'mpd-find-'))));
  afterEach(() => rmSync(base, { recursive: true }));
  const place = (...folders: string[]): string => {
    const file = join(base, ...folders, 'mpd-find-me');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
    return file;
  };
  const find = (): string | undefined => findUpwards('mpd-find-me', [join(base, 'shared/inner')]);

  it('is passed over, also where the search climbs to it', () => {
    mkdirSync(join(base, 'shared/inner'), { recursive: true });
    const own = place();
    const theirs = place('shared');
    expect(find()).toBe(theirs);
    chmodSync(join(base, 'shared'), 0o777);
    expect(find()).toBe(own);
  });

  it('is returned without links, which that user could turn elsewhere', () => {
    const own = place('own');
    mkdirSync(join(base, 'shared/inner'), { recursive: true });
    symlinkSync(own, join(base, 'shared/mpd-find-me'));
    chmodSync(join(base, 'shared'), 0o777);
    expect(find()).toBe(own);
  });
});
