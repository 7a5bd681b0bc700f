import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import {
  type EmulatorLine,
  emulatorLineSchema,
  type LinkSample,
  type LinkStats,
} from './emulator-protocol';
import { linkCommand, setCommand, traceCommands } from './emulator-protocol-commands';
import { LabError, type LabErrorCode } from './errors';
import { findOwnProgram } from './find-file';
import type { LinkChange, LinkOptions } from './link-emulator-options';
import type { TraceStep } from '../scenario';

interface Waiter {
  resolve: (line: EmulatorLine) => void;
  reject: (error: LabError) => void;
}

export interface LinkEmulatorOptions {
  /** The `mpd-link` program; by default searched above the running script and the working folder. */
  file?: string;
  /** Gets the MPTCP sequence numbers of all links (native/link/README.md); complete once the emulator has ended. */
  recordFile?: string;
  /** Called if a link ends by itself (its device was deleted) or the process dies. */
  onFailure?: (error: LabError) => void;
}

/** Exit code after the end of stdin. */
const RECORD_INCOMPLETE = 1;

function emulatorFile(options: LinkEmulatorOptions): string {
  const file = options.file ?? findOwnProgram('native/build/mpd-link');
  if (file !== undefined) return file;
  throw new LabError(
    'EMULATOR_MISSING',
    'the link emulator native/build/mpd-link is not built',
    'build it: make -C native/link',
  );
}

/**
 * The link emulator process (native/link): creates and changes links, and counts packets. It ends with this
 * process.
 */
export class LinkEmulator {
  readonly #waiters: Waiter[] = [];
  readonly #exited: Promise<void>;
  #onSample: ((sample: LinkSample) => void) | undefined;
  #stderr = '';
  #failure: LabError | undefined;
  #closing = false;

  readonly #onFailure: ((error: LabError) => void) | undefined;
  readonly #child: ChildProcessWithoutNullStreams;
  private constructor(
    child: ChildProcessWithoutNullStreams,
    onFailure: ((error: LabError) => void) | undefined,
  ) {
    this.#onFailure = onFailure;
    this.#child = child;
    child.stdin.on('error', () => undefined);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-2_000);
    });
    createInterface({ input: child.stdout }).on('line', (line) => this.#receive(line));
    this.#exited = new Promise((resolve) => {
      child.on('close', (code, signal) => {
        this.#fail(`it ended (${signal ?? code}) ${this.#stderr.trim()}`);
        resolve();
      });
      child.on('error', (error) => {
        this.#fail(error.message);
        resolve();
      });
    });
  }

  /** Starts the process and waits until it accepts commands. */
  static async start(options: LinkEmulatorOptions = {}): Promise<LinkEmulator> {
    const emulator = new LinkEmulator(spawn(emulatorFile(options), []), options.onFailure);
    await emulator.#next();
    if (options.recordFile !== undefined) await emulator.#command(`record ${options.recordFile}`);
    return emulator;
  }

  async addLink(options: LinkOptions): Promise<void> {
    await this.#command(linkCommand(options));
  }

  async setLink(name: string, change: LinkChange): Promise<void> {
    await this.#command(setCommand(name, change));
  }

  /**
   * Defines a trace for links. A trace cannot grow once a link follows it.
   * @param name 1 to 64 letters, digits, `-` or `_`
   */
  async addTrace(name: string, steps: readonly TraceStep[]): Promise<void> {
    for (const line of traceCommands(name, steps)) await this.#command(line);
  }

  /**
   * Reports every link periodically; a later call replaces an earlier one.
   * @param intervalMs 1 ms to an hour; 0 stops
   */
  async watch(intervalMs: number, onSample: (sample: LinkSample) => void): Promise<void> {
    await this.#command(`stats_interval_ms ${intervalMs}`);
    this.#onSample = onSample;
  }

  /** The current statistics of all links; starts a new interval of the `late*` and `queueDelay*` figures. */
  async stats(): Promise<LinkStats[]> {
    const line = await this.#command('stats');
    return line.type === 'stats' ? line.links : [];
  }

  /**
   * Ends the process; its interfaces end with it.
   * @throws LabError EMULATOR_FAILED if the file of `recordFile` is incomplete
   */
  async close(): Promise<void> {
    const wasAlive = this.#failure === undefined;
    this.#closing = true;
    this.#child.stdin.end();
    await this.#exited;
    if (wasAlive && this.#child.exitCode === RECORD_INCOMPLETE)
      throw new LabError('EMULATOR_FAILED', this.#stderr.trim());
  }

  async #command(text: string): Promise<EmulatorLine> {
    if (this.#failure !== undefined) throw this.#failure;
    this.#child.stdin.write(`${text}\n`);
    const line = await this.#next();
    if (line.type !== 'reply' || line.ok) return line;
    const message = `${line.field ?? 'command'} ${line.error ?? 'was refused'}`;
    const code: LabErrorCode = message.includes('/dev/net/tun')
      ? 'TUN_UNAVAILABLE'
      : 'EMULATOR_FAILED';
    throw new LabError(code, `link emulator: "${text.slice(0, 300)}": ${message}`);
  }

  #next(): Promise<EmulatorLine> {
    return new Promise((resolve, reject) => {
      if (this.#failure === undefined) this.#waiters.push({ resolve, reject });
      else reject(this.#failure);
    });
  }

  #receive(text: string): void {
    let line: EmulatorLine;
    try {
      line = v.parse(emulatorLineSchema, JSON.parse(text));
    } catch {
      this.#fail(`unexpected output: ${text.slice(0, 200)}`);
      this.#child.kill();
      return;
    }
    if (line.type === 'error') {
      this.#onFailure?.(new LabError('EMULATOR_FAILED', `link ${line.link}: ${line.error}`));
      return;
    }
    if (line.type === 'sample') {
      this.#onSample?.({ monotonicUs: line.monotonicUs, links: line.links });
      return;
    }
    this.#waiters.shift()?.resolve(line);
  }

  #fail(reason: string): void {
    if (this.#failure !== undefined) return;
    this.#failure = new LabError('EMULATOR_FAILED', `the link emulator is gone: ${reason}`.trim());
    for (const waiter of this.#waiters.splice(0)) waiter.reject(this.#failure);
    if (!this.#closing) this.#onFailure?.(this.#failure);
  }
}
