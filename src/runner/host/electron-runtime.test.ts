import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findElectron } from './electron-runtime';

let base: string;
beforeEach(() => {
  base = mkdtempSync(path.join(os.tmpdir(), 'cli-app-'));
});
afterEach(() => rmSync(base, { recursive: true }));

function electronIn(...folders: string[]): string {
  const folder = path.join(base, ...folders);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'electron'), '');
  return path.join(folder, 'electron');
}

describe('findElectron', () => {
  const find = (env: NodeJS.ProcessEnv = {}): string =>
    findElectron(
      { XDG_CACHE_HOME: path.join(base, 'cache'), ...env },
      path.join(base, 'package'),
      path.join(base, 'cwd'),
    );

  it('names the remedy if there is none', () => {
    expect(() => find()).toThrow(/install-electron.*ELECTRON_OVERRIDE_DIST_PATH/);
  });

  it("prefers npm's download to the cache, and the newest in the cache", () => {
    electronIn('cache', 'electron-runtime', '9.0.0');
    const newest = electronIn('cache', 'electron-runtime', '22.3.25');
    expect(find()).toBe(newest);
    const own = electronIn('cwd', 'node_modules/electron/dist');
    expect(find()).toBe(own);
  });

  it('refuses a runtime that another user could have replaced, with the reason', () => {
    const program = electronIn('cwd', 'node_modules/electron/dist');
    chmodSync(path.join(base, 'cwd'), 0o777);
    expect(() => find()).toThrow(`${program} is not run, because another user could`);
    expect(() => find()).toThrow(/cwd can be written by everybody/);
    const env = { ELECTRON_OVERRIDE_DIST_PATH: path.dirname(program) };
    expect(() => find(env)).toThrow(/can be written by everybody/);
  });

  it("passes over a runtime that another user could have replaced, if the user's own is there", () => {
    electronIn('cwd', 'node_modules/electron/dist');
    chmodSync(path.join(base, 'cwd'), 0o777);
    const own = electronIn('cache', 'electron-runtime', '22.3.25');
    expect(find()).toBe(own);
  });

  it('searches nowhere else if the location is given', () => {
    electronIn('cwd', 'node_modules/electron/dist');
    const env = { ELECTRON_OVERRIDE_DIST_PATH: path.join(base, 'none') };
    expect(() => find(env)).toThrow(/ELECTRON_OVERRIDE_DIST_PATH=.*none: no electron binary/);
  });
});
