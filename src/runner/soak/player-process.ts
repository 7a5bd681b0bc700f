import { spawn, type ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** Objects that the agent's process keeps. */
export interface AgentFigures {
  heapBytes: number;
  /** Bytes that V8 has reserved for the heap: objects in use, garbage and free room. */
  heapSizeBytes: number;
  /** The part of it for new objects, which V8 doubles and halves as it sees fit. */
  youngBytes: number;
  /** Buffers outside of the heap. */
  externalBytes: number;
  /** Part of the heap: what V8 compiled, which grows until everything that runs often is optimized. */
  compiledBytes: number;
  /** Timers that keep the process alive. */
  timers: number;
}

/** Time limits for one answer and for an orderly end. Chosen; no measurement. */
const ANSWER_TIMEOUT_MS = 10_000;
const END_TIMEOUT_MS = 30_000;
/** Last characters of the program's output, for the message about its failure. */
const MAX_OUTPUT_CHARS = 20_000;

/** Runs inside the agent and answers over its IPC channel, which must not keep the process alive. */
const PROBE = `
import v8 from 'node:v8';
import vm from 'node:vm';
v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc');
process.on('message', (message) => {
  if (message === 'collect') collect();
  const { heapUsed, heapTotal, external } = process.memoryUsage();
  const young = v8.getHeapSpaceStatistics().find((space) => space.space_name === 'new_space');
  const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const code = v8.getHeapCodeStatistics();
  const compiledBytes = code.code_and_metadata_size + code.bytecode_and_metadata_size;
  process.send({
    heapBytes: heapUsed,
    heapSizeBytes: heapTotal,
    youngBytes: young.space_size,
    externalBytes: external,
    compiledBytes,
    timers,
  });
});
process.channel.unref();
`;

/** The `play` command as a user starts it, with a probe for its heap and timers. */
export class PlayerProcess {
  readonly #child: ChildProcess;
  #output = '';
  /** Settles with the exit status when it ends. */
  readonly ended: Promise<number>;

  constructor(argv: readonly string[], env: NodeJS.ProcessEnv) {
    const probe = `data:text/javascript,${encodeURIComponent(PROBE)}`;
    this.#child = spawn(process.execPath, ['--import', probe, ...argv], {
      env,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#output = (this.#output + text).slice(-MAX_OUTPUT_CHARS);
    });
    this.ended = new Promise((resolve) => {
      this.#child.once('error', () => resolve(1));
      this.#child.once('exit', (code) => resolve(code ?? 1));
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The last of its error output. */
  get output(): string {
    return this.#output;
  }

  /** @returns undefined when the process is too busy to answer, or has ended */
  async figures(isCollecting: boolean): Promise<AgentFigures | undefined> {
    if (!this.#child.connected) return undefined;
    const answer = new Promise<AgentFigures>((resolve) => {
      this.#child.once('message', (message) => resolve(message as AgentFigures));
    });
    this.#child.send(isCollecting ? 'collect' : 'read');
    const late = sleep(ANSWER_TIMEOUT_MS, undefined, { ref: false });
    return Promise.race([answer, late, this.ended.then(() => undefined)]);
  }

  /** Ends it as Ctrl-C does. @returns the exit status */
  async end(): Promise<number> {
    this.#child.kill('SIGINT');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), END_TIMEOUT_MS);
    const status = await this.ended;
    clearTimeout(timer);
    return status;
  }
}
