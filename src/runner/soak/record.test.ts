import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createRecord, endSoak, soakFolder, type SoakRecord } from './record';
import { noViewerRecord } from './viewer';

it('has the outcome of a run before its player has ended, and the totals afterwards', async () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'mpd-soak-'));
  try {
    const folder = soakFolder(dir);
    const record = (): SoakRecord =>
      createRecord(
        {
          startedAt: '',
          machine: {},
          settings: { forMs: 1000, warmUpMs: 0, seed: 1, play: [] },
          viewer: noViewerRecord(),
          ended: 'interrupted',
        },
        [],
        [],
      );
    const written = (): SoakRecord =>
      JSON.parse(readFileSync(folder.recordFile, 'utf8')) as SoakRecord;
    await endSoak(folder, dir, record, () => {
      expect(written().ended).toBe('interrupted');
      expect(written().viewer.pages).toBeUndefined();
      return Promise.resolve();
    });
    expect(written().viewer.pages).toBe(0);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
