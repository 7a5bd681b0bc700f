import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PathControlError } from '../../ports';
import { endpoint, LTE, setting } from '../testing/endpoint-setting';
import { defaultUndoFolder, UndoRecord } from './undo-record';

describe('the undo record', () => {
  let folder = '';
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'undo-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const only = (): string => path.join(folder, readdirSync(folder)[0] ?? '');
  /** As if another process, ended now, had written it. */
  const orphan = (text: string): void => {
    rmSync(only());
    const file = path.join(folder, 'path-control-4194303.json');
    writeFileSync(file, text.replace(/"pid":\d+/, '"pid":4194303'));
  };

  it('is written before the change and removed when the original state is back', async () => {
    const undoRecord = new UndoRecord(folder);
    const { control, channel } = setting([endpoint(1, LTE)], { undoRecord });
    channel.failNext = new Error('died here');
    let noted = '';
    const setFlags = channel.setFlags.bind(channel);
    channel.setFlags = (item) => {
      noted = readFileSync(only(), 'utf8');
      return setFlags(item);
    };
    await expect(control.setState('wwan0', 'backup')).rejects.toThrow();
    expect(JSON.parse(noted)).toMatchObject({
      changes: [{ found: { flags: 2 }, now: { flags: 6 } }],
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('that cannot be written refuses the change before it is made', async () => {
    const { control, channel } = setting([endpoint(1, LTE)], {
      undoRecord: new UndoRecord(folder),
    });
    rmSync(folder, { recursive: true });
    await expect(control.setState('wwan0', 'backup')).rejects.toThrow('cannot be written');
    expect(channel.endpoints).toEqual([endpoint(1, LTE)]);
  });

  it('that could not be written leaves no change behind', async () => {
    const { control, channel } = setting([], { undoRecord: new UndoRecord(folder) });
    rmSync(folder, { recursive: true });
    await expect(control.setState('wwan0', 'active')).rejects.toThrow('cannot be written');
    mkdirSync(folder);
    channel.endpoints = [endpoint(255, LTE)];
    expect(await control.list()).toMatchObject([{ origin: 'foreign', changed: false }]);
    await expect(control.setState('wwan0', 'closed')).rejects.toMatchObject({ code: 'FOREIGN' });
    await control.close();
    expect(channel.endpoints).toEqual([endpoint(255, LTE)]);
  });

  it('lets the next player undo it, once', async () => {
    const { control, channel } = setting([endpoint(1, LTE)], {
      undoRecord: new UndoRecord(folder),
    });
    await control.setState('wwan0', 'backup');
    await control.setState('wlan0', 'backup');
    orphan(readFileSync(only(), 'utf8'));
    const next = setting(channel.endpoints, { undoRecord: new UndoRecord(folder) });
    await next.control.restore();
    expect(next.channel.endpoints).toEqual([endpoint(1, LTE)]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is removed when the helper reports a foreign change', async () => {
    const { control, channel } = setting([endpoint(1, LTE)], {
      undoRecord: new UndoRecord(folder),
    });
    await control.setState('wwan0', 'backup');
    orphan(readFileSync(only(), 'utf8'));
    const next = setting(channel.endpoints, { undoRecord: new UndoRecord(folder) });
    next.channel.failNext = new PathControlError('FOREIGN', 'not made here');
    await expect(next.control.restore()).rejects.toMatchObject({ code: 'FOREIGN' });
    expect(readdirSync(folder)).toEqual([]);
    await next.control.restore();
  });

  it('leaves the undo record of a living player, of another place, and an unreadable one alone', async () => {
    const undoRecord = new UndoRecord(folder);
    const { control } = setting([endpoint(1, LTE)], { undoRecord });
    await control.setState('wwan0', 'backup');
    expect(undoRecord.abandoned()).toEqual([]);
    const text = readFileSync(only(), 'utf8');
    orphan(text.replace(/"place":"[^"]*"/, '"place":"elsewhere"'));
    expect(undoRecord.abandoned()).toEqual([]);
    orphan('{"version":1,"changes":[{"address":"; rm -rf /"}]}');
    expect(undoRecord.abandoned()).toEqual([]);
  });

  it('is kept in no folder that another user could write', () => {
    const inner = path.join(folder, 'inner');
    mkdirSync(inner);
    symlinkSync(inner, path.join(folder, 'link'));
    expect(() => new UndoRecord(path.join(folder, 'link'))).toThrow(/not only this user's/);
    chmodSync(inner, 0o777);
    expect(() => new UndoRecord(inner)).toThrow(/not only this user's/);
  });

  it('follows no link that stands at its place', async () => {
    const victim = path.join(folder, 'victim');
    writeFileSync(victim, 'mine');
    symlinkSync(victim, path.join(folder, `path-control-${process.pid}.json.new`));
    const { control } = setting([endpoint(1, LTE)], { undoRecord: new UndoRecord(folder) });
    await control.setState('wwan0', 'backup');
    expect(readFileSync(victim, 'utf8')).toBe('mine');
  });

  it("is in the user's runtime folder, or in root's own where that is another user's", () => {
    expect(defaultUndoFolder(folder, 1000)).toBe(path.join(folder, 'multipath-dash'));
    expect(defaultUndoFolder(undefined, 1000)).toBeUndefined();
    expect(defaultUndoFolder('', 0)).toBe('/run/multipath-dash-undo');
    expect(defaultUndoFolder('/none', 1000)).toBeUndefined();
  });

  it.skipIf(process.getuid?.() !== 0)('is not in the folder of another user [needs root]', () => {
    chownSync(folder, 65534, 65534);
    expect(defaultUndoFolder(folder, 0)).toBe('/run/multipath-dash-undo');
    expect(() => new UndoRecord(folder)).toThrow(/not only this user's/);
  });
});
