import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { LogEvent } from '../../src/session-log';
import { root } from '../support/electron';
import { MARK } from '../support/own-processes';

export interface RunningCommand {
  child: ChildProcess;
  /** Exit code, or 128 + the signal's number as in a shell. */
  exited: Promise<number>;
  stdout: () => string;
  stderr: () => string;
}

export interface StartOptions {
  /** A program that executes the command, such as `setpriv`, with its arguments. */
  through?: readonly string[];
  env?: NodeJS.ProcessEnv;
  /** Program and arguments that start the command line in place of its own file. */
  program?: readonly string[] | undefined;
}

const OWN_FILE = [process.execPath, path.join(root, 'bin/multipath-dash.mjs')];

/** Starts the command line like a user: no sandbox around it, no terminal, no display. */
export function startCommand(
  mark: string,
  tmpDir: string,
  args: readonly string[],
  { through = [], env: more = {}, program = OWN_FILE }: StartOptions = {},
): RunningCommand {
  const env: NodeJS.ProcessEnv = { ...process.env, ...more, [MARK]: mark, TMPDIR: tmpDir };
  for (const name of ['MULTIPATH_DASH_SANDBOX', 'DISPLAY', 'WAYLAND_DISPLAY']) {
    Reflect.deleteProperty(env, name);
  }
  const [first = '', ...words] = [...through, ...program, ...args];
  const child = spawn(first, words, {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const exited = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGKILL' ? 137 : 128)));
  });
  return { child, exited, stdout: () => stdout, stderr: () => stderr };
}

/** The complete lines of the current log. */
export function logLines(file: string): LogEvent[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as LogEvent);
}
