// Asks the registry for known vulnerabilities of what the package installs. A registry that cannot be reached, or that has no
// audit, fails nothing. Usage: node scripts/audit.mjs
import { spawnSync } from 'node:child_process';
import { readOptions } from './setup/options.mjs';

readOptions('node scripts/audit.mjs');

const TIMEOUT_MS = 30_000;
/** Lowest severity that stops a release. */
const LEVEL = 'high';

const options = ['--omit=dev', `--audit-level=${LEVEL}`, '--fetch-retries=0', '--json'];
const { stdout } = spawnSync('npm', ['audit', ...options], {
  encoding: 'utf8',
  timeout: TIMEOUT_MS,
  stdio: ['ignore', 'pipe', 'ignore'],
});

function found() {
  try {
    return JSON.parse(stdout).metadata?.vulnerabilities;
  } catch {
    return undefined;
  }
}

const counts = found();
if (counts === undefined) {
  console.log('audit: the registry cannot be asked; nothing was checked');
} else {
  const { high, critical, total } = counts;
  console.log(`audit: ${total} known vulnerabilities, ${high} high, ${critical} critical`);
  if (high + critical > 0) process.exit(1);
}
