import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createMediaFolders,
  MediaFileError,
  relativePath,
  type MediaFolders,
} from './media-folders';
import type { FileResponse } from './scheme';

let base: string;
let folder: string;
let folders: MediaFolders;
let mpdUrl: string;

beforeEach(async () => {
  base = mkdtempSync(path.join(os.tmpdir(), 'media-folders-'));
  folder = path.join(base, 'movie');
  mkdirSync(path.join(folder, 'v'), { recursive: true });
  writeFileSync(path.join(folder, 'a movie.mpd'), '<MPD/>');
  writeFileSync(path.join(folder, 'v', 'seg-1.m4s'), '0123456789');
  writeFileSync(path.join(folder, '.hidden'), 'no');
  writeFileSync(path.join(base, 'secret.txt'), 'secret');
  folders = createMediaFolders();
  mpdUrl = (await folders.open(path.join(folder, 'a movie.mpd'))).url;
});

afterEach(() => rmSync(base, { recursive: true }));

async function get(url: string, range?: string): Promise<FileResponse & { text: string }> {
  const response = await folders.serve({ method: 'GET', url: new URL(url), range });
  const chunks: Buffer[] = [];
  if (Buffer.isBuffer(response.body)) chunks.push(response.body);
  else for await (const chunk of response.body ?? []) chunks.push(chunk as Buffer);
  return { ...response, text: Buffer.concat(chunks).toString() };
}

const sibling = (name: string): string => mpdUrl.replace(/[^/]+$/, name);

describe('media folders', () => {
  it('serves the MPD and the files below its folder', async () => {
    expect(await get(mpdUrl)).toMatchObject({ status: 200, text: '<MPD/>' });
    const segment = await get(sibling('v/seg-1.m4s'));
    expect(segment).toMatchObject({ status: 200, text: '0123456789' });
    expect(segment.headers).toMatchObject({ 'content-length': '10', 'accept-ranges': 'bytes' });
  });

  it('serves ranges', async () => {
    const part = await get(sibling('v/seg-1.m4s'), 'bytes=2-4');
    expect(part).toMatchObject({ status: 206, text: '234' });
    expect(part.headers).toMatchObject({ 'content-range': 'bytes 2-4/10', 'content-length': '3' });
    expect((await get(sibling('v/seg-1.m4s'), 'bytes=10-')).status).toBe(416);
  });

  it.each([
    'v/%2e%2e/%2e%2e/secret.txt',
    'v/..%2f..%2fsecret.txt',
    '..%2fsecret.txt',
    '%2fetc%2fpasswd',
    'v%2f%2e%2e%2f%2e%2e%2fsecret.txt',
    '.hidden',
    'v',
    'v/',
    'seg%00.m4s',
    '%zz',
    'missing.m4s',
  ])('refuses %s', async (name) => {
    expect(await get(sibling(name))).toMatchObject({ status: 404 });
  });

  it('follows a link inside the folder but none out of it', async () => {
    symlinkSync(path.join(folder, 'v', 'seg-1.m4s'), path.join(folder, 'inside.m4s'));
    symlinkSync(path.join(base, 'secret.txt'), path.join(folder, 'outside.m4s'));
    symlinkSync(base, path.join(folder, 'up'));
    expect((await get(sibling('inside.m4s'))).status).toBe(200);
    expect((await get(sibling('outside.m4s'))).status).toBe(404);
    expect((await get(sibling('up/secret.txt'))).status).toBe(404);
  });

  it('does not hang on a named pipe', async () => {
    execFileSync('mkfifo', [path.join(folder, 'pipe.m4s')]);
    expect((await get(sibling('pipe.m4s'))).status).toBe(404);
  });

  it('accepts only its own ids', async () => {
    const foreign = 'mpdash://media/00000000000000000000000000000000/a%20movie.mpd';
    expect((await get(foreign)).status).toBe(404);
    expect(folders.owns(new URL(foreign))).toBe(false);
    expect(folders.owns(new URL(mpdUrl))).toBe(true);
    expect(folders.owns(new URL(mpdUrl.replace('mpdash', 'https')))).toBe(false);
  });

  it('names the file that cannot be opened', async () => {
    await expect(folders.open(path.join(base, 'none.mpd'))).rejects.toThrow(
      /none\.mpd: no such file/,
    );
    await expect(folders.open(folder)).rejects.toThrow(MediaFileError);
  });

  it('never builds a path that leaves its folder', () => {
    const piece = fc.constantFrom('..', '.', '/', '%2e', '%2F', '%00', 'a', '\\', '%5c', '%252e');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const relative = relativePath(pieces.join(''));
        if (relative === undefined) return;
        expect(path.resolve('/root', relative).startsWith('/root/')).toBe(true);
      }),
    );
  });
});
