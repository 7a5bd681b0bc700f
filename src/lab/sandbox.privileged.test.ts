import { setTimeout as delay } from 'node:timers/promises';
import { type ChildProcess, spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { enterSandbox } from '.';
import { fixtureArgv, processesWith, reasonToSkip } from './testing/sandboxed';

const reason = await reasonToSkip();
const title = reason === undefined ? 'sandbox' : `sandbox (skipped: ${reason})`;

const outers: ChildProcess[] = [];
afterEach(() => {
  for (const outer of outers.splice(0)) outer.kill('SIGKILL');
});

interface Outer {
  child: ChildProcess;
  lines: string[];
  marker: string;
  exitCode: Promise<number | null>;
}

/** Starts an outer process with a lab inside, and waits until the lab runs. */
async function startOuter(name: string): Promise<Outer> {
  const value = `${name}-${process.pid}`;
  const [command = '', ...args] = fixtureArgv('outer');
  const env = { ...process.env, MULTIPATH_DASH_TEST: value };
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  outers.push(child);
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const exitCode = new Promise<number | null>((resolve) => child.on('close', resolve));
  await expect.poll(() => lines, { timeout: 30_000 }).toContain('ready');
  return { child, lines, marker: `MULTIPATH_DASH_TEST=${value}`, exitCode };
}

async function hostState(): Promise<unknown> {
  const names = await readdir('/run/netns').catch(() => []);
  return { names, interfaces: Object.keys(networkInterfaces()) };
}

async function run(argv: string[]): Promise<{ exitCode: number; stdout: string }> {
  let stdout = '';
  const exitCode = await enterSandbox({
    argv,
    stdio: 'pipe',
    onStdout: (text) => {
      stdout += text;
    },
  });
  return { exitCode, stdout };
}

describe.skipIf(reason !== undefined)(title, () => {
  it('returns the exit code, keeps the working folder and hides the host', async () => {
    const script =
      'pwd; cat /proc/1/comm; ls /run/netns; ls /sys/class/net >/dev/null; ip -o link | wc -l; exit 3';
    const { exitCode, stdout } = await run(['sh', '-c', script]);
    expect(exitCode).toBe(3);
    expect(stdout.trim().split('\n')).toEqual([process.cwd(), 'sh', '1']);
  });

  it('reaps orphans', async () => {
    const script = `
      orphan=$(sh -c 'sleep 0.1 >/dev/null & echo $!')
      for i in $(seq 100); do [ -e /proc/$orphan ] || { echo gone; break; }; sleep 0.1; done`;
    expect((await run(['sh', '-c', script])).stdout.trim()).toBe('gone');
  });

  it('leaves no process and no namespace after SIGKILL of the outer process', async () => {
    const before = await hostState();
    const outer = await startOuter('kill');
    // Outer, unshare, the fixture, the emulator, nginx.
    expect((await processesWith(outer.marker)).length).toBeGreaterThanOrEqual(5);
    expect(await hostState()).toEqual(before);
    outer.child.kill('SIGKILL');
    await expect.poll(() => processesWith(outer.marker), { timeout: 10_000 }).toEqual([]);
    expect(await hostState()).toEqual(before);
  });

  it('lets the inside end in order on SIGINT and returns its exit code', async () => {
    const outer = await startOuter('interrupt');
    outer.child.kill('SIGINT');
    expect(await outer.exitCode).toBe(7);
    expect(outer.lines).toContain('closed in order');
    await expect.poll(() => processesWith(outer.marker), { timeout: 10_000 }).toEqual([]);
  });

  it('starts nothing after a signal that came first', async () => {
    const running = run(['echo', 'started']);
    process.emit('SIGHUP', 'SIGHUP');
    expect(await running).toEqual({ exitCode: 129, stdout: '' });
    expect(process.listenerCount('SIGHUP')).toBe(0);
  });

  it('counts simultaneous signals as one', async () => {
    const outer = await startOuter('together');
    outer.child.kill('SIGINT');
    // Node handles two signals of one instant in any order, because each thread of the process may receive them.
    await delay(20);
    outer.child.kill('SIGTERM');
    expect(await outer.exitCode).toBe(7);
    expect(outer.lines).toContain('closed in order');
  });

  it('ends the inside on a signal it does not handle', async () => {
    const outer = await startOuter('terminate');
    outer.child.kill('SIGTERM');
    expect(await outer.exitCode).toBe(143);
    await expect.poll(() => processesWith(outer.marker), { timeout: 10_000 }).toEqual([]);
  });
});
