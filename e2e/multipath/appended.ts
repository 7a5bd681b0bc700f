import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';

declare global {
  interface Window {
    /** SHA-256 of every buffer given to the element, by media type, in order. */
    appended?: Record<string, Promise<string>[]>;
  }
}

/** Records what the page appends to its media element. The page must be loaded, and no stream open yet. */
export function recordAppends(): void {
  const appended: Record<string, Promise<string>[]> = {};
  window.appended = appended;
  const names = new WeakMap<SourceBuffer, string>();
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its buffer below
  const { addSourceBuffer } = MediaSource.prototype;
  MediaSource.prototype.addSourceBuffer = function (type) {
    const buffer = addSourceBuffer.call(this, type);
    names.set(buffer, type.split('/', 1)[0] ?? '');
    return buffer;
  };
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its buffer below
  const { appendBuffer } = SourceBuffer.prototype;
  SourceBuffer.prototype.appendBuffer = function (data) {
    const hash = crypto.subtle
      .digest('SHA-256', data)
      .then((digest) =>
        Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join(''),
      );
    (appended[names.get(this) ?? ''] ??= []).push(hash);
    appendBuffer.call(this, data);
  };
}

/** Names of the server's files that were appended, by media type, in order; `?` for bytes of no file. */
export async function appendedFiles(page: Page, root: string): Promise<Record<string, string[]>> {
  const hashes = await page.evaluate(async () => {
    const all = Object.entries(window.appended ?? {});
    const done = await Promise.all(all.map(([, list]) => Promise.all(list)));
    return all.map(([type], index) => [type, done[index] ?? []] as const);
  });
  const names = new Map(
    readdirSync(root).map((name) => [
      createHash('sha256')
        .update(readFileSync(path.join(root, name)))
        .digest('hex'),
      name,
    ]),
  );
  return Object.fromEntries(
    hashes.map(([type, list]) => [type, list.map((hash) => names.get(hash) ?? '?')]),
  );
}

/** Numbers of the media segments among names of files. */
export const segmentNumbers = (names: readonly string[]): number[] =>
  names.flatMap((name) => /^chunk-\d+-(\d+)\.m4s$/.exec(name)?.[1] ?? []).map(Number);
