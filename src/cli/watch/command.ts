import { InvalidArgumentError, Option, type Command } from 'commander';
import type { SampleBatch } from '../../core';
import {
  createNetworkEvents,
  loadNative,
  monotonicClock,
  readInterfacesOf,
  socketOwners,
  toSampleBatch,
  type InterfaceTable,
  type Native,
  type OwnerProcess,
  readMptcpEnabled,
} from '../../kernel';
import { jsonText } from '../../runner/host';
import type { Sampler, Snapshot } from '../../../native/index';
import { createWatchScreen } from './screen';
import { watchFrame, type WatchFrame } from './model';
import { watchLines } from './view';

export interface WatchOptions {
  /** One JSON object a period instead of a picture. */
  json?: boolean;
  /** Network namespace by name or path. */
  netns?: string;
  /** 10 to 10000; default 1000. */
  periodMs?: number;
  /** One period, then end. */
  once?: boolean;
  /** Plain TCP too. */
  all?: boolean;
}

export interface WatchIo {
  stdout: NodeJS.WriteStream;
  stdin?: NodeJS.ReadStream;
  /** Ends watching in order. */
  signal?: AbortSignal;
  loadNative?: () => Native;
}

const DEFAULT_PERIOD_MS = 1000;
/** Minimum interval between searches of the processes for the owners of new sockets. */
const OWNER_SEARCH_MS = 1000;
/** Interval between reads of another namespace's interfaces. */
const INTERFACES_MS = 5000;

/** Caches the owner process of each socket. */
function createOwners(): (inode: number, atMs: number) => OwnerProcess | undefined {
  let owners = new Map<number, OwnerProcess>();
  let searchedMs = -Infinity;
  return (inode, atMs) => {
    if (inode === 0) return undefined;
    if (!owners.has(inode) && atMs - searchedMs >= OWNER_SEARCH_MS) {
      searchedMs = atMs;
      owners = socketOwners();
    }
    return owners.get(inode);
  };
}

interface Interfaces {
  ownerOf(address: string): string | undefined;
  close(): void;
}

/** Interface names for addresses, of this namespace (live) or another (read at an interval). */
async function createInterfaces(netns: string | undefined): Promise<Interfaces> {
  if (netns === undefined) {
    const events = createNetworkEvents({ onChange: () => undefined, onNote: () => undefined });
    await events.start();
    return { ownerOf: (address) => events.table.ownerOf(address), close: () => events.close() };
  }
  let table: InterfaceTable = await readInterfacesOf(netns);
  const timer = setInterval(() => {
    void readInterfacesOf(netns).then((next) => (table = next));
  }, INTERFACES_MS);
  return { ownerOf: (address) => table.ownerOf(address), close: () => clearInterval(timer) };
}

/** Limitations that explain an empty picture. */
function problemOf(failure: string | undefined, netns: string | undefined): string | null {
  if (failure !== undefined) return failure;
  if (netns !== undefined) return null;
  const enabled = readMptcpEnabled();
  if (enabled === undefined) return 'This kernel has no MPTCP (no net.mptcp.enabled).';
  return enabled ? null : 'net.mptcp.enabled is 0: run `sysctl -w net.mptcp.enabled=1`.';
}

/**
 * Shows every MPTCP connection of the machine with its subflows, once a period.
 * @returns the exit status: 0, or 1 if `once` saw nothing because the kernel refused
 * @throws NativeUnavailableError without the addon, NativeError (NETNS_UNAVAILABLE) for an unknown namespace
 */
export async function runWatch(options: WatchOptions, io: WatchIo): Promise<number> {
  const native = (io.loadNative ?? loadNative)();
  let onReadable = (): void => undefined;
  const sampler = new native.Sampler({
    periodMs: options.periodMs ?? DEFAULT_PERIOD_MS,
    // Byte ranges come over plain TCP.
    includePlainTcp: true,
    onReadable: () => onReadable(),
    ...(options.netns === undefined ? {} : { netns: options.netns }),
  });
  // First: an unknown namespace must be refused before the terminal or another resource is taken.
  sampler.start();
  const interfaces = await createInterfaces(options.netns);
  const screen = createWatchScreen(io, options.json === true || options.once === true);
  const watch = new Watch(options, io, { sampler, interfaces, screen });
  onReadable = () => watch.read();
  return watch.ended;
}

interface WatchParts {
  sampler: Sampler;
  interfaces: Interfaces;
  screen: ReturnType<typeof createWatchScreen>;
}

/** One run of the command, from its first sample to its end. */
class Watch {
  /** Settles with the exit status. */
  readonly ended: Promise<number>;
  readonly #options: WatchOptions;
  readonly #io: WatchIo;
  readonly #parts: WatchParts;
  readonly #findOwner = createOwners();
  #end: (status: number) => void = () => undefined;
  #isOver = false;
  /** Inodes of the newest sample's sockets, by connection. */
  #inodes = new Map<string, number>();
  #before: SampleBatch | undefined;
  #lost = 0;
  #failed = 0;
  #failure: string | undefined;

  constructor(options: WatchOptions, io: WatchIo, parts: WatchParts) {
    this.#options = options;
    this.#io = io;
    this.#parts = parts;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    parts.screen.onQuit(() => this.#finish(0));
    io.signal?.addEventListener('abort', () => this.#finish(0), { once: true });
    if (io.signal?.aborted === true) this.#finish(0);
  }

  /** Shows what the sampler has. */
  read(): void {
    if (this.#isOver) return;
    const { sampler } = this.#parts;
    const stats = sampler.stats();
    const snapshots = sampler.read();
    const lost = stats.lost - this.#lost;
    this.#lost = stats.lost;
    if (stats.failed > this.#failed) this.#failure = stats.lastError?.message ?? 'sampling failed';
    else if (snapshots.length > 0) this.#failure = undefined;
    this.#failed = stats.failed;
    snapshots.forEach((snapshot, index) => this.#take(snapshot, index === 0 ? lost : 0));
    if (snapshots.length > 0 || this.#failure === undefined) return;
    const monotonicMs = monotonicClock.nowMs();
    const { periodMs = DEFAULT_PERIOD_MS, once } = this.#options;
    this.#show({ monotonicMs, periodMs, lostSamples: 0, problem: this.#failure, connections: [] });
    if (once === true) this.#finish(1);
  }

  #take(snapshot: Snapshot, lostSamples: number): void {
    if (this.#isOver) return;
    const batch = this.#toBatch(snapshot, lostSamples);
    const isFirst = this.#before === undefined;
    const frame = watchFrame(
      this.#before,
      batch,
      (id) => this.#findOwner(this.#inodes.get(id) ?? 0, batch.monotonicMs),
      problemOf(this.#failure, this.#options.netns),
    );
    this.#before = batch;
    const { once } = this.#options;
    // A rate needs two samples. `once` shows only the second.
    if (isFirst && once === true) return;
    this.#show(frame);
    if (once === true) this.#finish(0);
  }

  #toBatch(snapshot: Snapshot, lostSamples: number): SampleBatch {
    this.#inodes = new Map();
    for (const raw of snapshot.connections) {
      this.#inodes.set(`m:${raw.token.toString(16).padStart(8, '0')}`, raw.inode);
    }
    for (const raw of snapshot.subflows) this.#inodes.set(`t:${raw.cookie}`, raw.inode);
    return toSampleBatch(snapshot, {
      interfaceOf: (address) => this.#parts.interfaces.ownerOf(address),
      wanted: () => true,
      lostSamples,
    });
  }

  #show(frame: WatchFrame): void {
    const { all = false, json } = this.#options;
    const connections = frame.connections.filter(({ kind }) => all || kind !== 'tcp');
    const shown = { ...frame, connections };
    if (json === true) this.#io.stdout.write(`${jsonText(shown)}\n`);
    else this.#parts.screen.draw((view) => watchLines(shown, view));
  }

  #finish(status: number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { sampler, interfaces, screen } = this.#parts;
    sampler.stop();
    interfaces.close();
    screen.close();
    this.#end(status);
  }
}

function parsePeriod(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 10 || value > 10_000) {
    throw new InvalidArgumentError('must be a whole number of milliseconds, 10 to 10000.');
  }
  return value;
}

interface CommandOptions {
  json?: true;
  netns?: string;
  period: number;
  once?: true;
  all?: true;
}

/** Adds `watch` to the program. */
export function addWatchCommand(program: Command): void {
  program
    .command('watch')
    .summary('show every MPTCP connection of this machine and its subflows, live')
    .description(
      'Shows every MPTCP connection of this machine with its subflows, live: owner, rate handed over in ' +
        'order, out-of-order bytes, and for each subflow its path, state, rate, share and ' +
        'receive RTT. Needs no privilege on Linux 6.15 or later. Ends with q or Ctrl-C.',
    )
    .option('--json', 'print one JSON object a period, one a line')
    .option('--netns <name>', 'look into this network namespace (name under /run/netns, or a path)')
    .addOption(
      new Option('--period <ms>', 'how often to look, 10 to 10000')
        .default(1000)
        .argParser(parsePeriod),
    )
    .option('--once', 'look for one period, print it and end')
    .option('--all', 'show every plain TCP connection, not only byte ranges over several networks')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  multipath-dash watch\n' +
        '  multipath-dash watch --once --json | jq .connections\n' +
        '  multipath-dash watch --period 100 --netns client\n',
    )
    .action(async (options: CommandOptions) => {
      const abort = new AbortController();
      const onSignal = (): void => abort.abort();
      process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
      try {
        const { period, ...rest } = options;
        process.exitCode = await runWatch(
          { ...rest, periodMs: period },
          { stdout: process.stdout, stdin: process.stdin, signal: abort.signal },
        );
      } finally {
        process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
      }
    });
}
