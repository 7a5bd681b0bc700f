import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { claimProfile } from './profile';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'mpd-profile-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('keeps the profile of the only process', () => {
  const setPath = vi.fn();
  const profile = claimProfile({ requestSingleInstanceLock: () => true, setPath }, folder);
  expect(profile.notice).toBeUndefined();
  profile.remove();
  expect(setPath).not.toHaveBeenCalled();
  expect(readdirSync(folder)).toEqual([]);
});

it('gives a second process a temporary one, says so and deletes it after the end', async () => {
  const setPath = vi.fn();
  const running = spawn('sleep', ['60']);
  const app = { requestSingleInstanceLock: () => false, setPath };
  const profile = claimProfile(app, folder, running.pid);
  const [name = ''] = readdirSync(folder);
  // Not `userData`, where both share the settings of networks.
  expect(setPath.mock.calls).toEqual([['sessionData', path.join(folder, name)]]);
  expect(profile.notice).toContain('Another multipath-dash is open');
  profile.remove();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(readdirSync(folder)).toEqual([name]);
  running.kill();
  await expect.poll(() => readdirSync(folder)).toEqual([]);
});
