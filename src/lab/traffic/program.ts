import { type ChildProcess, spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inNetns } from '../netns';
import { LabError } from '../errors';
import { missingTool } from '../run-command';

/** Before them, for a program that ends by itself: the signal 0 does nothing. */
const OWN_END = [0, 8_000] as const;
/** Time limit after each signal, gentlest signal first. */
const STOP_STEPS: readonly (readonly [signal: NodeJS.Signals | 0, waitMs: number])[] = [
  ['SIGINT', 8_000],
  ['SIGTERM', 1_000],
  ['SIGKILL', 1_000],
];

export interface ProgramOptions {
  /** Namespace file; absent: the caller's. */
  netns: string | undefined;
  argv: readonly string[];
  /** Folder for its output: `<name>.out` and `<name>.err`. */
  dir: string;
  name: string;
  /** Its working folder, if it writes more files. */
  cwd?: string;
  /** Standard output is a display for people and is discarded. */
  hasScreens?: boolean;
  /** It ends by itself when its peer ends: a signal only if it does not. */
  endsWithPeer?: boolean;
}

/** A background program with its output in files. The kernel kills it with this process. */
export class Program {
  readonly outFile: string;
  readonly errFile: string;
  readonly #child: ChildProcess;
  readonly #name: string;
  readonly #endsWithPeer: boolean;
  readonly #ended: Promise<void>;
  #isStopping = false;
  #endedEarly = '';

  private constructor(child: ChildProcess, options: ProgramOptions, onEarlyEnd: () => void) {
    this.outFile = join(options.dir, `${options.name}.out`);
    this.errFile = join(options.dir, `${options.name}.err`);
    this.#child = child;
    this.#name = options.name;
    this.#endsWithPeer = options.endsWithPeer ?? false;
    this.#ended = new Promise((resolve) => {
      child.once('close', (exitCode, signal) => {
        if (!this.#isStopping) {
          this.#endedEarly = signal ?? `exit status ${exitCode}`;
          onEarlyEnd();
        }
        resolve();
      });
    });
  }

  /** @throws LabError TOOL_MISSING, TRAFFIC_FAILED */
  static async start(options: ProgramOptions, onEarlyEnd: () => void): Promise<Program> {
    const [command, args] = inNetns(options.netns, options.argv);
    const outFile = join(options.dir, `${options.name}.out`);
    const out = await open(options.hasScreens === true ? '/dev/null' : outFile, 'w');
    const err = await open(join(options.dir, `${options.name}.err`), 'w');
    try {
      const child = spawn('setpriv', ['--pdeathsig', 'KILL', command, ...args], {
        stdio: ['ignore', out.fd, err.fd],
        env: { ...process.env, LC_ALL: 'C', ELECTRON_RUN_AS_NODE: '1' },
        ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      });
      const program = new Program(child, options, onEarlyEnd);
      await new Promise((resolve, reject) => {
        child.once('spawn', resolve);
        child.once('error', () => reject(missingTool('setpriv')));
      });
      return program;
    } finally {
      await out.close();
      await err.close();
    }
  }

  get hasEndedEarly(): boolean {
    return this.#endedEarly !== '';
  }

  /** Its message if it ended by itself; undefined while it runs and after {@link stop}. */
  async explainEarlyEnd(): Promise<string | undefined> {
    if (!this.hasEndedEarly) return undefined;
    const said = (await this.#tail(this.errFile)) || (await this.#tail(this.outFile));
    return `${this.#name} ended by itself (${this.#endedEarly})${said === '' ? '' : `: ${said}`}`;
  }

  /** From now on its end is not early. */
  expectEnd(): void {
    this.#isStopping = true;
  }

  /** Ends it by increasingly strong signals. Resolves after its end. */
  async stop(): Promise<void> {
    this.expectEnd();
    for (const [signal, waitMs] of [...(this.#endsWithPeer ? [OWN_END] : []), ...STOP_STEPS]) {
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) break;
      this.#child.kill(signal);
      const timer = new AbortController();
      const late = sleep(waitMs, undefined, { signal: timer.signal }).catch(() => undefined);
      await Promise.race([this.#ended, late]);
      timer.abort();
    }
    await this.#ended;
  }

  async #tail(file: string): Promise<string> {
    const text = await readFile(file, 'utf8').catch(() => '');
    return text.trim().split('\n').slice(-4).join(' ').slice(-400);
  }
}

/** The error of a program that ended before it was ready. */
export async function startFailure(program: Program, otherwise: string): Promise<LabError> {
  return new LabError('TRAFFIC_FAILED', (await program.explainEarlyEnd()) ?? otherwise);
}
