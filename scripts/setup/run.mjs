import { spawnSync } from 'node:child_process';

/** Says what happens next; set-up talk goes to stderr so that stdout stays for results. */
export function step(message) {
  process.stderr.write(`[setup] ${message}\n`);
}

/** Ends the set-up with a reason a person can act on. */
export function fail(message) {
  process.stderr.write(`[setup] error: ${message}\n`);
  process.exit(1);
}

/** Runs a program to its end with its output on our stderr; ends the set-up when it fails. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { stdio: ['ignore', 2, 2], ...options });
  if (result.error) fail(`cannot run ${command}: ${result.error.message}`);
  if (result.status !== 0) fail(`${command} ${args.join(' ')} ended with ${result.status}`);
}

/** Standard output of a program, or null when it failed or does not exist. */
export function output(command, args, options = {}) {
  const result = spawnSync(command, args, { encoding: 'utf8', ...options });
  return result.error || result.status !== 0 ? null : result.stdout.trim();
}

/** Whether a program is on the PATH (system folders included, which users often lack). */
export function hasProgram(name) {
  const path = `${process.env.PATH ?? ''}:/usr/sbin:/sbin`;
  return (
    output('sh', ['-c', `command -v "$0"`, name], { env: { ...process.env, PATH: path } }) !== null
  );
}
