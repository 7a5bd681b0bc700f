import { spawnSync } from 'node:child_process';

/** Prints the next step; set-up messages go to stderr so that stdout stays for results. */
export function step(message) {
  process.stderr.write(`[setup] ${message}\n`);
}

/** Ends the set-up with a reason and its fix. */
export function fail(message) {
  process.stderr.write(`[setup] error: ${message}\n`);
  process.exit(1);
}

/** Runs a program with its output on our stderr; ends the set-up if it fails. */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { stdio: ['ignore', 2, 2], ...options });
  if (result.error) fail(`cannot run ${command}: ${result.error.message}`);
  if (result.status !== 0) fail(`${command} ${args.join(' ')} ended with ${result.status}`);
}

/** Standard output of a program, or null if it failed or does not exist. */
export function output(command, args, options = {}) {
  const result = spawnSync(command, args, { encoding: 'utf8', ...options });
  return result.error || result.status !== 0 ? null : result.stdout.trim();
}

/** True if a program is on the PATH (including system folders, which users often lack). */
export function hasProgram(name) {
  const path = `${process.env.PATH ?? ''}:/usr/sbin:/sbin`;
  return (
    output('sh', ['-c', `command -v "$0"`, name], { env: { ...process.env, PATH: path } }) !== null
  );
}
