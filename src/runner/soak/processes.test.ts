import { openSync, closeSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readProcess, roleOf } from './processes';

describe('readProcess', () => {
  it('counts the descriptors of a process as the kernel does', () => {
    const before = readProcess(process.pid)?.descriptors ?? 0;
    const opened = [openSync('/dev/null', 'r'), openSync('/dev/null', 'r')];
    expect(readProcess(process.pid)).toMatchObject({ descriptors: before + 2 });
    opened.forEach(closeSync);
    expect(readProcess(process.pid)?.memoryBytes).toBeGreaterThan(10e6);
  });

  it('knows no process that has ended', () => {
    expect(readProcess(0x3fffff)).toBeUndefined();
  });
});

describe('roleOf', () => {
  it.each([
    ['chromium --user-data-dir=/tmp/x --headless=new', 'browser'],
    ['chromium --type=renderer --user-data-dir=/tmp/x', 'renderer'],
    ['chromium --type=utility --utility-sub-type=network.mojom.NetworkService', 'network'],
    ['chromium --type=utility --utility-sub-type=storage.mojom.StorageService', undefined],
    ['chromium --type=zygote --user-data-dir=/tmp/x', undefined],
    ['/opt/native/build/mpd-link', 'emulator'],
    ['ip monitor', undefined],
  ])('%s is %s', (line, role) => {
    expect(roleOf(line.split(' '))).toBe(role);
  });
});
