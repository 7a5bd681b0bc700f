import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const UNIT = 'packaging/systemd/multipath-dash-agent.service';
const read = (file) => readFileSync(path.join(ROOT, file), 'utf8');

it("the agent's unit starts a command that exists, and systemd accepts it", () => {
  const [, command = ''] = /^ExecStart=\/usr\/bin\/env multipath-dash (\w+) \$ORIGINS$/m.exec(
    read(UNIT),
  );
  const program = [path.join(ROOT, 'bin/multipath-dash.mjs'), command, '--help'];
  expect(execFileSync(process.execPath, program, { encoding: 'utf8' })).toContain('--allow-origin');

  // A system without systemd has no use for the unit.
  const runtime = mkdtempSync(path.join(os.tmpdir(), 'packaging-test-'));
  const { error, status, stderr } = spawnSync(
    'systemd-analyze',
    ['verify', '--user', '--man=no', path.join(ROOT, UNIT)],
    { encoding: 'utf8', env: { ...process.env, XDG_RUNTIME_DIR: runtime } },
  );
  rmSync(runtime, { recursive: true, force: true });
  if (error?.code === 'ENOENT') return;
  // A key or value that it does not know is a warning only.
  expect(stderr).toBe('');
  expect(status).toBe(0);
});

it('the image is made of files that exist', () => {
  const copies = read('packaging/container/Containerfile').match(/^COPY (?!--from).*/gm) ?? [];
  const sources = copies.flatMap((line) => line.split(' ').slice(1, -1));
  expect(sources).toContain('scenarios');
  expect(sources.filter((name) => !existsSync(path.join(ROOT, name)))).toEqual([]);
});
