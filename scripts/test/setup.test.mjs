import { spawnSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';

/** Runs the set-up from another folder. */
const setup = (...args) =>
  spawnSync(process.execPath, [path.resolve('scripts/setup.mjs'), ...args], {
    cwd: os.tmpdir(),
    encoding: 'utf8',
  });

it.each([
  [['demo'], "Unexpected argument 'demo'"],
  [['--nope'], "Unknown option '--nope'"],
  [['--for', 'toString'], '--for toString: expected one of build, demo'],
])('the set-up refuses %s in one line', (args, reason) => {
  const { status, stderr } = setup(...args);
  expect(status).toBe(1);
  expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(reason)]);
});

it('the help of the set-up names each purpose that its usage line names', () => {
  const { status, stdout } = setup('--help');
  expect(status).toBe(0);
  for (const purpose of ['build', 'demo', 'demo-app', 'lab', 'app', 'e2e', 'test', 'nightly'])
    expect(stdout).toMatch(new RegExp(`^  ${purpose} +\\S`, 'm'));
});
