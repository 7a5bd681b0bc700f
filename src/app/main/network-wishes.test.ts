import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openNetworkWishes } from './network-wishes';

let folder: string;
let file: string;
const problems: string[] = [];
const open = () => openNetworkWishes(file, [], (text) => problems.push(text));

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'network-wishes-'));
  file = path.join(folder, 'profile', 'networks.json');
  problems.length = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('wishes of networks', () => {
  it('returns the last choice for each network', () => {
    const wishes = open();
    wishes.save({ network: 'wwan0', metered: true });
    wishes.save({ network: 'usb0', metered: true });
    wishes.save({ network: 'wwan0', metered: true, budgetBytes: 5e6 });
    wishes.save({ network: 'usb0', metered: false });
    expect(open().networks).toEqual([{ network: 'wwan0', metered: true, budgetBytes: 5e6 }]);
    expect(problems).toEqual([]);
  });

  it.each([
    '{',
    '[]',
    '{"version":2,"networks":[]}',
    '{"version":1,"networks":[{"network":""}]}',
    '{"version":1,"networks":[{"network":"a","budgetBytes":-1}]}',
    `{"version":1,"networks":[${'{"network":"a"},'.repeat(100)}{"network":"b"}]}`,
  ])('a bad file is ignored, reported and renamed: %s', (text) => {
    open().save({ network: 'x', metered: true });
    writeFileSync(file, text);
    const wishes = open();
    expect(wishes.networks).toEqual([]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(file);
    expect(readFileSync(`${file}.bad`, 'utf8')).toBe(text);
    wishes.save({ network: 'y', metered: true });
    expect(open().networks).toHaveLength(1);
  });

  it('keeps the choice for this run if the file cannot be written', () => {
    const blocker = path.join(folder, 'a-file');
    writeFileSync(blocker, '');
    const wishes = openNetworkWishes(path.join(blocker, 'networks.json'), [], (text) =>
      problems.push(text),
    );
    wishes.save({ network: 'y', metered: true });
    expect(wishes.networks).toHaveLength(1);
    expect(problems.join()).toContain('not remembered');
    expect(existsSync(`${blocker}.bad`)).toBe(false);
  });

  it('keeps what another player stores meanwhile', () => {
    const [one, other] = [open(), open()];
    one.save({ network: 'wwan0', metered: true });
    other.save({ network: 'usb0', metered: true });
    expect(open().networks.map(({ network }) => network)).toEqual(['wwan0', 'usb0']);
  });

  it('of the command line hold until the viewer changes them, and are not stored', () => {
    open().save({ network: 'wwan0', metered: true });
    const given = [{ network: 'wwan0', metered: true, budgetBytes: 5e8 }];
    const wishes = openNetworkWishes(file, given, (text) => problems.push(text));
    expect(wishes.networks).toEqual(given);
    wishes.save({ network: 'wwan0', metered: false });
    expect(wishes.networks).toEqual([
      expect.objectContaining({ network: 'wwan0', metered: false }),
    ]);
    expect(open().networks).toEqual([]);
  });
});
