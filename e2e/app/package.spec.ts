import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { ensureClip } from '../support/clip';
import { root } from '../support/electron';

let scratch: string;
let home: string;

test.beforeAll(() => {
  test.setTimeout(300_000);
  scratch = mkdtempSync(path.join(os.tmpdir(), 'app-package-'));
  const command = ['scripts/package.mjs', '--fast', '--out', path.join(scratch, 'out')];
  const deb = execFileSync(process.execPath, command, { cwd: root, encoding: 'utf8' }).trim();
  execFileSync('dpkg-deb', ['--extract', deb, path.join(scratch, 'root')]);
  home = path.join(scratch, 'root/opt/multipath-dash');
});
test.afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const unpacked = (file: string): string => readFileSync(path.join(scratch, 'root', file), 'utf8');

test('plays a stream as it is unpacked, and quits by itself', async () => {
  const summary = path.join(scratch, 'summary.json');
  const child = spawn(
    path.join(home, 'multipath-dash'),
    [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...['--disable-gpu', `--user-data-dir=${path.join(scratch, 'profile')}`],
      ...[ensureClip(), '--no-mptcp', '--seconds', '20', '--json', summary],
      ...['--log-dir', path.join(scratch, 'sessions')],
    ],
    { cwd: scratch, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const code = await new Promise((resolve) => child.once('exit', resolve));
  expect(code).toBe(0);
  const { playedMs } = JSON.parse(readFileSync(summary, 'utf8')) as { playedMs: number };
  expect(playedMs).toBeGreaterThan(0);
});

test('is no Node interpreter', () => {
  const help = execFileSync(
    path.join(home, 'multipath-dash'),
    [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--help'],
    { env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' }, encoding: 'utf8', cwd: scratch },
  );
  expect(help).toContain('--metered <');
});

test('brings desktop entry, icon and MIME type', () => {
  expect(unpacked('usr/share/applications/multipath-dash.desktop')).toContain(
    'MimeType=application/dash+xml;',
  );
  expect(unpacked('usr/share/mime/packages/multipath-dash.xml')).toContain('*.mpd');
  expect(unpacked('usr/share/icons/hicolor/scalable/apps/multipath-dash.svg')).toContain('<svg');
  expect(existsSync(path.join(scratch, 'root/usr/bin/multipath-dash-player'))).toBe(true);
});
