import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { descendantsOf } from './process-sockets';

it('finds children and their children, and nobody else', async () => {
  const child = spawn('sh', ['-c', 'sleep 60 & wait'], { stdio: 'ignore', detached: true });
  const pid = child.pid ?? 0;
  try {
    await expect.poll(() => descendantsOf(pid).length).toBeGreaterThanOrEqual(1);
    const mine = descendantsOf(process.pid);
    expect(mine).toContain(pid);
    expect(mine).toEqual(expect.arrayContaining(descendantsOf(pid)));
    expect(mine).not.toContain(process.pid);
    expect(mine).not.toContain(process.ppid);
  } finally {
    process.kill(-pid, 'SIGKILL');
  }
});
