import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { configEvent } from '../../session-log/testing/events';
import { readLog } from '.';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'mpd-killed-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it.each([
  { open: 'openJsonlLog', name: 'killed.jsonl', options: {} },
  // Small blocks, so that lines are folded while it writes.
  { open: 'openCompactLog', name: 'killed.jsonl.gz', options: { blockBytes: 3000 } },
])('a killed writer of $name loses no written line', async ({ open, name, options }) => {
  const file = path.join(dir, name);
  const program = `
    import { ${open} } from ${JSON.stringify(path.join(import.meta.dirname, 'index.ts'))};
    const log = ${open}(${JSON.stringify(file)}, ${JSON.stringify(options)});
    log.write(${JSON.stringify(configEvent())});
    for (let n = 0; n < 1000; n += 1) log.write({ type: 'stall', monotonicMs: n, phase: 'start' });
    process.kill(process.pid, 'SIGKILL');`;
  const child = spawn('node', ['--import', 'tsx', '--input-type=module', '-e', program], {
    stdio: 'inherit',
  });
  await new Promise((resolve) => child.once('exit', resolve));
  expect(child.signalCode).toBe('SIGKILL');
  const read = readLog(file);
  expect(read.events).toHaveLength(1001);
  expect(read.errors).toEqual([]);
});
