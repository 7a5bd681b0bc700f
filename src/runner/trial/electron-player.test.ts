import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ElectronApplication } from 'playwright-core';
import { expect, it, vi } from 'vitest';
import { playTrialInElectron, type ElectronTrial } from './electron-player';

const page = new EventEmitter();
const app = Object.assign(new EventEmitter(), {
  firstWindow: () => Promise.resolve(page),
  close: () => Promise.resolve(),
}) as unknown as ElectronApplication;

it('hands over the page of the desktop app, on which a clock event acts', async () => {
  const trialDir = mkdtempSync(path.join(os.tmpdir(), 'mpd-electron-'));
  const abort = new AbortController();
  const onPage = vi.fn(() => abort.abort());
  try {
    const trial: ElectronTrial = {
      url: 'http://10.77.0.1/manifest.mpd',
      abr: 'multipath',
      playMs: 1000,
      silenceMs: 1000,
      trialDir,
      env: {},
      trustedSpkiSha256: undefined,
      carriage: 'ranges',
      caFile: undefined,
      signal: abort.signal,
      fault: new Promise(() => undefined),
      onPage,
      onLoad: () => undefined,
      onEvent: undefined,
    };
    const ending = await playTrialInElectron(trial, () => Promise.resolve(app));
    expect(ending).toEqual({ reason: 'interrupted' });
  } finally {
    rmSync(trialDir, { recursive: true });
  }
  expect(onPage).toHaveBeenCalledWith(page);
});
