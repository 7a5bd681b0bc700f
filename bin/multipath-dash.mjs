#!/usr/bin/env node
// Starts the bundled command line; in a checkout that was never built, builds it first.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const bundle = path.join(root, 'dist/cli/multipath-dash.cjs');
if (!existsSync(bundle)) {
  const setup = path.join(root, 'scripts/setup.mjs');
  const { status } = spawnSync(process.execPath, [setup, '--for', 'build'], {
    cwd: root,
    stdio: ['inherit', 2, 2],
  });
  if (status !== 0) process.exit(status ?? 1);
}
createRequire(import.meta.url)(bundle);
