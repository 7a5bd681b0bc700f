import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { withLock } from './build-lock';
import { tryLockFolder } from './folder-lock';

let folder = '';
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'mpd-lock-'))));
afterEach(() => rmSync(folder, { recursive: true }));

it('admits one worker at a time and reports that another waits', async () => {
  const order: string[] = [];
  let openGate = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    openGate = resolve;
  });
  const first = withLock(folder, async () => {
    order.push('first in');
    await gate;
    order.push('first out');
  });
  await expect.poll(() => order).toEqual(['first in']);
  const second = withLock(folder, () => Promise.resolve(order.push('second in')), {
    onWait: () => {
      order.push('second waits');
      openGate();
    },
  });
  await Promise.all([first, second]);
  expect(order).toEqual(['first in', 'second waits', 'first out', 'second in']);
});

it('ends its wait with the signal', async () => {
  const release = tryLockFolder(folder);
  const abort = new AbortController();
  const waiting = withLock(folder, () => Promise.resolve(), {
    onWait: () => abort.abort(),
    signal: abort.signal,
  });
  await expect(waiting).rejects.toThrow(/abort/i);
  release?.();
});

it('is released after a failure', async () => {
  await expect(withLock(folder, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(withLock(folder, () => Promise.resolve('yes'))).resolves.toBe('yes');
});

it('is free again when the process that held it is killed', async () => {
  const command = [join(folder, '.lock'), 'sh', '-c', 'echo held; exec sleep 60'];
  // A group of its own: `flock` and its child both have the lock.
  const holder = spawn('flock', command, { detached: true });
  await new Promise((resolve) => holder.stdout.once('data', resolve));
  expect(tryLockFolder(folder)).toBeUndefined();
  process.kill(-(holder.pid ?? 0), 'SIGKILL');
  await new Promise((resolve) => holder.once('close', resolve));
  expect(tryLockFolder(folder)).toBeTypeOf('function');
});

it.skipIf(process.getuid?.() !== 0)('cannot be held by another user [needs root]', () => {
  chmodSync(folder, 0o755);
  tryLockFolder(folder)?.();
  expect(statSync(join(folder, '.lock')).mode & 0o777).toBe(0o600);
  const asNobody = ['--reuid=65534', '--regid=65534', '--clear-groups'];
  expect(() =>
    execFileSync('setpriv', [...asNobody, 'flock', '-n', join(folder, '.lock'), 'true'], {
      stdio: 'pipe',
    }),
  ).toThrow(/Permission denied/);
});

it.skipIf(process.getuid?.() !== 0)(
  'that root held can be held by the owner of the folder [needs root]',
  () => {
    chownSync(folder, 65534, 65534);
    tryLockFolder(folder)?.();
    expect(statSync(join(folder, '.lock'))).toMatchObject({ uid: 65534, gid: 65534 });
  },
);
