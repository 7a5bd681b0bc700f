import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { ensureClip } from '../support/clip';
import { electronBinary, root } from '../support/electron';
import { readSessionLogs } from '../support/session-files';

let scratch: string;
const started: ChildProcess[] = [];
test.beforeEach(() => {
  scratch = mkdtempSync(path.join(os.tmpdir(), 'app-lifecycle-'));
});
test.afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
  }
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
});

interface Run {
  child: ChildProcess;
  stderr: () => string;
  exited: Promise<number | null>;
}

/** Runs the app directly, without Playwright. */
function run(args: string[], env: NodeJS.ProcessEnv = {}): Run {
  const child = spawn(
    electronBinary(),
    [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--log-level=3',
      `--user-data-dir=${path.join(scratch, 'profile')}`,
      root,
      ...args,
    ],
    { env: { ...process.env, LD_PRELOAD: '', ...env }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  started.push(child);
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { child, stderr: () => text, exited };
}

const logDir = (): string => path.join(scratch, 'sessions');

async function untilLogged(type: string): Promise<void> {
  await expect
    .poll(
      () =>
        existsSync(logDir()) &&
        readdirSync(logDir()).some((name) =>
          readFileSync(path.join(logDir(), name), 'utf8').includes(`"type":"${type}"`),
        ),
      { timeout: 40_000 },
    )
    .toBe(true);
}

test('a timed run ends in order with a summary', async () => {
  const json = path.join(scratch, 'summary.json');
  const { exited } = run([
    ...[ensureClip(), '--seconds', '8', '--log-dir', logDir(), '--json', json, '--no-mptcp'],
  ]);
  expect(await exited).toBe(0);
  const [events = []] = readSessionLogs(logDir());
  expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'time-up' });
  const summary = JSON.parse(readFileSync(json, 'utf8')) as Record<string, unknown>;
  expect(summary).toMatchObject({ endReason: 'time-up', droppedFrames: expect.any(Number) });
  expect(summary['logFile']).toMatch(/sessions\/session-.*\.jsonl\.gz$/);
});

test('a timed run of an unplayable stream fails', async () => {
  const { exited, stderr } = run([
    ...['http://127.0.0.1:1/a.mpd', '--seconds', '12', '--log-dir', logDir(), '--no-mptcp'],
  ]);
  expect(await exited).toBe(1);
  expect(stderr()).toContain('127.0.0.1:1');
});

for (const [signal, code] of [
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const) {
  test(`${signal} ends the session in order`, async () => {
    const { child, exited } = run([ensureClip(), '--log-dir', logDir(), '--no-mptcp']);
    await untilLogged('startup');
    child.kill(signal);
    expect(await exited).toBe(code);
    const [events = []] = readSessionLogs(logDir());
    expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'interrupted' });
  });
}

test('plays on after the reader of its messages has ended', async () => {
  const { child, exited } = run([ensureClip(), '--log-dir', logDir(), '--no-mptcp']);
  await untilLogged('startup');
  child.stderr?.destroy();
  // The app restores its deleted log, and says so.
  for (const name of readdirSync(logDir())) rmSync(path.join(logDir(), name));
  await untilLogged('player');
  child.kill('SIGTERM');
  expect(await exited).toBe(143);
  const [events = []] = readSessionLogs(logDir());
  expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'interrupted' });
});

test('a second window plays at once, with a temporary profile', async () => {
  const first = run([ensureClip(), '--log-dir', logDir(), '--no-mptcp']);
  await untilLogged('startup');
  const temporary = path.join(scratch, 'tmp');
  mkdirSync(temporary);
  const second = run(
    [ensureClip(), '--log-dir', path.join(scratch, 'second'), '--no-mptcp', '--seconds', '8'],
    { TMPDIR: temporary },
  );
  expect(await second.exited).toBe(0);
  expect(second.stderr()).toContain('Another multipath-dash is open');
  const [events = []] = readSessionLogs(path.join(scratch, 'second'));
  expect(events.map(({ type }) => type)).toContain('startup');
  await expect
    .poll(() => readdirSync(temporary).filter((name) => name.startsWith('multipath-dash-')))
    .toEqual([]);
  first.child.kill('SIGTERM');
  expect(await first.exited).toBe(143);
  expect(first.stderr()).not.toContain('Another multipath-dash is open');
});

test('an unknown command line is refused', async () => {
  const { exited, stderr } = run(['--sceonds', '5']);
  expect(await exited).toBe(2);
  expect(stderr()).toContain('--sceonds');
});

/** Child processes of `pid` that have the MPTCP wrapper mapped. */
function wrappedChildrenOf(pid: number | undefined): number[] {
  const listed = spawnSync('ps', ['--ppid', String(pid ?? 0), '-o', 'pid='], { encoding: 'utf8' });
  const children = listed.stdout.split(/\s+/).filter(Boolean).map(Number);
  return children.filter((child) => {
    try {
      return readFileSync(`/proc/${child}/maps`, 'utf8').includes('libmptcpwrap');
    } catch {
      return false;
    }
  });
}

test('restarts itself under MPTCP, forwards the signal and returns the exit code', async () => {
  const { child, exited } = run([ensureClip(), '--log-dir', logDir()]);
  await untilLogged('startup');
  const [second] = wrappedChildrenOf(child.pid);
  expect(second).toBeDefined();
  child.kill('SIGTERM');
  expect(await exited).toBe(143);
  expect(existsSync(`/proc/${second ?? 0}`)).toBe(false);
  const [events = []] = readSessionLogs(logDir());
  expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'interrupted' });
});

test('does not outlive the process that started it', async () => {
  const { child } = run([ensureClip(), '--log-dir', logDir()]);
  await untilLogged('startup');
  const [second] = wrappedChildrenOf(child.pid);
  expect(second).toBeDefined();
  child.kill('SIGKILL');
  await expect.poll(() => existsSync(`/proc/${second ?? 0}`), { timeout: 15_000 }).toBe(false);
  const [events = []] = readSessionLogs(logDir());
  expect(events.at(-1)).toMatchObject({ type: 'end', reason: 'interrupted' });
});
