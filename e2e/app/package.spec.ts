import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { ensureClip } from '../support/clip';
import { root } from '../support/electron';
import { nightly } from '../support/nightly';
import { openOverlaySystem } from './overlay-system';

let scratch: string;
let home: string;
let deb: string;

test.beforeAll(() => {
  test.setTimeout(300_000);
  scratch = mkdtempSync(path.join(os.tmpdir(), 'app-package-'));
  const command = ['scripts/package.mjs', '--fast', '--out', path.join(scratch, 'out')];
  deb = execFileSync(process.execPath, command, { cwd: root, encoding: 'utf8' }).trim();
  execFileSync('dpkg-deb', ['--extract', deb, path.join(scratch, 'root')]);
  home = path.join(scratch, 'root/opt/multipath-dash');
});
test.afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** A user namespace does not map the owners of the system's files. */
const isSystemRoot = (): boolean =>
  process.getuid?.() === 0 &&
  /^\s*0\s+0\s+4294967295\s*$/.test(readFileSync('/proc/self/uid_map', 'utf8'));

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

test('installs with dpkg, is found by the desktop, and leaves nothing when it is removed', async () => {
  test.skip(!isSystemRoot(), 'dpkg changes files of the system: run it as root');
  const system = await openOverlaySystem(path.dirname(deb));
  const { run } = system;
  try {
    run('dpkg', '--install', `/mnt/${path.basename(deb)}`);
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
      version: string;
    };
    const options = ['--no-sandbox', '--version'];
    expect(run('multipath-dash-player', ...options).trim()).toBe(version);
    run('desktop-file-validate', '/usr/share/applications/multipath-dash.desktop');
    // The packages of the desktop have put entry and type into their tables.
    expect(run('cat', '/usr/share/applications/mimeinfo.cache')).toMatch(
      /^application\/dash\+xml=(.*;)?multipath-dash\.desktop;/m,
    );
    expect(run('cat', '/usr/share/mime/globs2')).toContain('application/dash+xml:*.mpd');
    expect(run('cat', '/usr/share/mime/application/dash+xml.xml')).toContain('DASH manifest');
    expect(run('cat', '/usr/share/icons/hicolor/scalable/apps/multipath-dash.svg')).toContain(
      '<svg',
    );
    // Chromium's sandbox without user namespaces needs the set-user-ID bit.
    expect(run('stat', '-c', '%U %a', '/opt/multipath-dash/chrome-sandbox').trim()).toBe(
      'root 4755',
    );

    run('dpkg', '--remove', 'multipath-dash-player');
    const left = system.changed().filter((file) => !/^\/var\/(lib\/dpkg|log|cache)\//.test(file));
    const naming = left.filter((file) => (file + run('cat', file)).includes('multipath'));
    expect(naming).toEqual([]);
    expect(() => run('ls', '/opt/multipath-dash')).toThrow('No such file');
    expect(() => run('dpkg-query', '--show', 'multipath-dash-player')).toThrow('no packages found');
  } finally {
    await system.end();
  }
});

test('an AppImage is its runtime and the same player behind it', nightly, () => {
  // Any small program of the system stands for the runtime: the player must begin where it ends.
  const runtime = path.join(scratch, 'runtime');
  const bytes = readFileSync('/bin/true');
  bytes.write('AI\x02', 8, 'latin1');
  writeFileSync(runtime, bytes);
  const words = ['scripts/package.mjs', '--fast', '--out', scratch, '--appimage'];
  const image = execFileSync(process.execPath, [...words, runtime], {
    cwd: root,
    encoding: 'utf8',
  }).trim();
  execFileSync(image);
  const appDir = path.join(scratch, 'AppDir');
  execFileSync('unsquashfs', ['-quiet', '-o', String(bytes.length), '-d', appDir, image]);
  const command = path.join(appDir, 'usr/bin/multipath-dash-player');
  const version = execFileSync(command, ['--no-sandbox', '--version'], { encoding: 'utf8' });
  expect(version).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(readdirSync(appDir).sort()).toEqual([
    ...['.DirIcon', 'AppRun', 'multipath-dash.desktop', 'multipath-dash.svg', 'opt', 'usr'],
  ]);
  const noRuntime = spawnSync(process.execPath, [...words, '/bin/true'], { cwd: root });
  expect(noRuntime.stderr.toString()).toContain('/bin/true is no type 2 runtime');
});
