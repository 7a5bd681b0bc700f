import { spawn } from 'node:child_process';
import process from 'node:process';
import { expect, it } from 'vitest';
import { processTree } from './process-tree';

it('has this process, its children and theirs', async () => {
  const child = spawn('sh', ['-c', 'sleep 30 & echo $!; wait'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const grandchild = Number(
    await new Promise((resolve) => child.stdout.once('data', (text) => resolve(String(text)))),
  );
  try {
    expect(processTree(process.pid)).toEqual(
      expect.arrayContaining([process.pid, child.pid, grandchild]),
    );
    expect(processTree(grandchild)).toEqual([grandchild]);
    expect(processTree(4_194_303)).toEqual([4_194_303]);
  } finally {
    process.kill(grandchild);
  }
});
