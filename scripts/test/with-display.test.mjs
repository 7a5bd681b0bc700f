import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** Reports its process and the files of its display, and the signal that ends it. */
const PROGRAM = `
  const report = (value) => console.log(JSON.stringify(value));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => { report({ signal }); process.exit(7); });
  setInterval(() => {}, 1000);
  report({ pid: process.pid, display: process.env.DISPLAY });
`;

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'with-display-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Process of the X server of a display, from its lock file; undefined without one. */
function serverOf(display) {
  try {
    return Number(readFileSync(`/tmp/.X${display.slice(1)}-lock`, 'utf8'));
  } catch {
    return undefined;
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it.each(['SIGTERM', 'SIGHUP', 'SIGINT'])(
  'passes %s on, once, and leaves no process and no file',
  async (signal) => {
    const script = path.join(ROOT, 'scripts/with-display.mjs');
    const child = spawn(process.execPath, [script, process.execPath, '-e', PROGRAM], {
      env: { ...process.env, TMPDIR: folder, DISPLAY: '', WAYLAND_DISPLAY: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = [];
    const started = new Promise((resolve) => {
      child.stdout.setEncoding('utf8').on('data', (text) => {
        lines.push(...text.trim().split('\n').map(JSON.parse));
        resolve();
      });
    });
    const ended = new Promise((resolve) => child.once('close', resolve));
    await started;
    const { pid, display } = lines[0];
    const server = serverOf(display);
    expect(isRunning(server)).toBe(true);
    child.kill(signal);
    expect(await ended).toBe(7);
    expect(lines.slice(1)).toEqual([{ signal }]);
    expect(isRunning(pid)).toBe(false);
    // The X server removes its lock when it ends.
    await expect
      .poll(() => serverOf(display) ?? isRunning(server), { timeout: 10_000 })
      .toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  },
  30_000,
);
