/** The C library's heap of a command. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { root } from '../support/electron';

// Each arena of glibc but the first begins at a multiple of 64 MiB.
const PRINT_ARENAS = `
  import { readFileSync, writeSync } from 'node:fs';
  process.on('exit', () => {
    const lines = readFileSync('/proc/self/maps', 'utf8').split('\\n');
    writeSync(2, 'arenas ' + lines.filter((line) => /^[0-9a-f]+[048c]000000-\\S+ rw-p .* 0 *$/.test(line)).length);
  });`;

test('the threads of a command share an arena', () => {
  const { stderr, status } = spawnSync(
    process.execPath,
    [
      ...['--import', `data:text/javascript,${encodeURIComponent(PRINT_ARENAS)}`],
      ...[path.join(root, 'bin/multipath-dash.mjs'), '--help'],
    ],
    { encoding: 'utf8' },
  );
  expect(status).toBe(0);
  // Threads from before the limit may have their own. Without it there are seven.
  expect(stderr).toMatch(/arenas [1-3]$/);
});
