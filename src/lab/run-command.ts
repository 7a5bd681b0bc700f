import { spawn } from 'node:child_process';
import { LabError } from './errors';

/** Debian packages of the tools. */
const PACKAGES: Readonly<Record<string, string>> = {
  ip: 'iproute2',
  nsenter: 'util-linux',
  unshare: 'util-linux',
  setpriv: 'util-linux',
  mptcpize: 'mptcpize',
  nginx: 'nginx-light',
  ffmpeg: 'ffmpeg',
  ffprobe: 'ffmpeg',
  openssl: 'openssl',
  iperf3: 'iperf3',
  sipp: 'sip-tester',
  h2load: 'nghttp2-client',
  python3: 'python3-pip',
};

export interface CommandResult {
  stdout: string;
  stderr: string;
  exitCode: number;
}

export interface CommandOptions {
  input?: string;
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  signal?: AbortSignal;
  /** The kernel kills it when this process ends; for long work. */
  diesWithUs?: boolean;
  /** Called with each chunk of standard output. */
  onStdout?: (text: string) => void;
}

function shortened(text: string): string {
  return text.length <= 160 ? text : `${text.slice(0, 160)}...`;
}

export function missingTool(tool: string): LabError {
  return new LabError(
    'TOOL_MISSING',
    `${tool} is not installed or not on PATH`,
    `install it: sudo apt-get install ${PACKAGES[tool] ?? tool}`,
  );
}

/**
 * Runs a program without a shell and returns its output, whatever its exit code.
 * @throws LabError TOOL_MISSING if the program is not installed
 */
export function tryCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const [program = command, ...programArgs] = [
    ...(options.diesWithUs === true ? ['setpriv', '--pdeathsig', 'KILL'] : []),
    ...[command, ...args],
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(program, programArgs, {
      stdio: 'pipe',
      env: options.env ?? process.env,
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      options.onStdout?.(text);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    // A program that ends without reading its input is judged by its exit code.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.input ?? '');
    child.on('error', (error: NodeJS.ErrnoException) => {
      reject(error.code === 'ENOENT' ? missingTool(program) : error);
    });
    child.on('close', (exitCode, signal) => {
      if (exitCode === 127 && program !== command) reject(missingTool(command));
      resolve({
        stdout,
        stderr: signal === null ? stderr : `${stderr}killed by ${signal}`,
        exitCode: exitCode ?? -1,
      });
    });
  });
}

/**
 * Runs a program that must succeed.
 * @returns its standard output
 * @throws LabError COMMAND_FAILED with the program's output, TOOL_MISSING if it is not installed
 */
export async function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<string> {
  const result = await tryCommand(command, args, options);
  if (result.exitCode !== 0) {
    const said = result.stderr.trim().split('\n').slice(-8).join('\n  ');
    throw new LabError(
      'COMMAND_FAILED',
      `${shortened([command, ...args].join(' '))} ended with ${result.exitCode}: ${said}`,
    );
  }
  return result.stdout;
}
