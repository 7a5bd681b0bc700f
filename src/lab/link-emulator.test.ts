import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LinkEmulator } from './link-emulator';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'link-emulator-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A program that accepts every command, and ends with this code after its input. */
async function fakeEmulator(exitCode: number): Promise<string> {
  const file = path.join(folder, `emulator-${exitCode}`);
  const lines = [
    '#!/bin/sh',
    `echo '{"type":"ready"}'`,
    `while read line; do echo '{"type":"reply","ok":true}'; done`,
    `test ${exitCode} = 0 || echo "mpd-link: record is incomplete" >&2`,
    `exit ${exitCode}`,
  ];
  await writeFile(file, lines.join('\n'));
  await chmod(file, 0o755);
  return file;
}

describe('the end of the link emulator', () => {
  it('fails if the record is incomplete', async () => {
    const emulator = await LinkEmulator.start({ file: await fakeEmulator(1), recordFile: 'x' });
    await expect(emulator.close()).rejects.toThrow('record is incomplete');
  });

  it('is silent otherwise', async () => {
    const emulator = await LinkEmulator.start({ file: await fakeEmulator(0), recordFile: 'x' });
    await expect(emulator.close()).resolves.toBeUndefined();
  });
});
