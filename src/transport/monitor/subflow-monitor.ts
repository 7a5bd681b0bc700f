import type { SampleBatch } from '../../core';
import type { RawConnection, Snapshot, SnapshotFilter } from '../../../native/index';
import { toSampleBatch } from '../codec';
import { OriginResolver, type Lookup } from './origin-resolver';
import { createProcessSource } from './process-source';
import { socketsOf } from './process-sockets';
import type { Native, SnapshotSource } from './snapshot-source';

/** Whose sockets are watched; default: everybody's that go to the watched origins. */
export interface SocketOwner {
  /** Asked again whenever an unknown socket shows up. */
  pids?: () => readonly number[];
  uid?: number;
}

export interface SubflowMonitorOptions {
  native: Pick<Native, 'Sampler' | 'snapshot' | 'dupFd' | 'fullInfo' | 'closeFd'>;
  /** Interface owning a local address, where known. */
  interfaceOf: (address: string) => string | undefined;
  onBatch: (batch: SampleBatch) => void;
  /** Sampling fails (the message says what mends it) or works again (undefined); told on change. */
  onFailure: (message: string | undefined) => void;
  owner?: SocketOwner;
  /** Read the sockets of `owner.pids` themselves, where inet_diag hides subflows. Default false. */
  throughProcesses?: boolean;
  /** Default 100. */
  periodMs?: number;
  /** Network namespace by name or path; default the caller's. */
  netns?: string;
  lookup?: Lookup;
}

const defaultPeriodMs = 100;
/** The addon's bound on filter entries. */
const maxFilterRemotes = 64;
/** Processes are searched for unknown sockets at most this often. */
const ownerSearchMs = 500;

/** Samples the subflows under the watched origins and hands them on as batches in the product's terms. */
export class SubflowMonitor {
  readonly origins: OriginResolver;
  readonly #options: SubflowMonitorOptions;
  readonly #source: SnapshotSource;
  #lastBatchMs = -1;
  #lostBefore = 0;
  #failedBefore = 0;
  #failure: string | undefined;
  /** The filter the source works with, as text, to set it only when it changes. */
  #filterKey = '';
  #sawMptcp = false;
  #ownInodes = new Set<number>();
  #searchedAtMs = -Infinity;

  constructor(options: SubflowMonitorOptions) {
    this.#options = options;
    this.origins = new OriginResolver(options.lookup);
    const onReadable = (): void => this.#read();
    const periodMs = options.periodMs ?? defaultPeriodMs;
    const pids = options.owner?.pids;
    this.#source =
      options.throughProcesses === true && pids
        ? createProcessSource({ native: options.native, pids, periodMs, onReadable })
        : new options.native.Sampler({
            periodMs,
            onReadable,
            includePlainTcp: true,
            ...(options.netns === undefined ? {} : { netns: options.netns }),
          });
  }

  start(): void {
    this.#source.start();
  }

  /** Replaces the watched origins; resolves when their names were looked up. */
  async watch(origins: readonly string[]): Promise<void> {
    const looked = this.origins.watch(origins);
    this.#applyFilter();
    await looked;
    this.#applyFilter();
  }

  /** Looks now instead of with the next period, for example because the kernel told of a change. */
  lookNow(): void {
    if (this.#options.throughProcesses === true) return;
    this.#read();
    // Also makes the sampler look at everything anew, so that its next snapshot knows no less than this.
    this.#applyFilter(true);
    try {
      const { netns } = this.#options;
      const filter = this.#filter();
      this.#take(
        this.#options.native.snapshot(netns === undefined ? filter : { ...filter, netns }),
        0,
      );
    } catch (error) {
      this.#fail(error instanceof Error ? error.message : String(error));
    }
  }

  stop(): void {
    this.#source.stop();
    this.origins.close();
  }

  #filter(): SnapshotFilter {
    const remotes = this.origins.remotes();
    const { uid } = this.#options.owner ?? {};
    return {
      ...(remotes.length > 0 && remotes.length <= maxFilterRemotes ? { remotes } : {}),
      ...(uid === undefined ? {} : { uids: [uid] }),
      // Plain TCP only matters while there is nothing better, and looking for it costs full dumps.
      includePlainTcp: this.origins.watching && !this.#sawMptcp,
    };
  }

  #applyFilter(force = false): void {
    const filter = this.#filter();
    const key = JSON.stringify(filter);
    if (key === this.#filterKey && !force) return;
    this.#filterKey = key;
    this.#source.setFilter(filter);
  }

  #read(): void {
    const snapshots = this.#source.read();
    const stats = this.#source.stats();
    let lost = Math.max(0, stats.lost - this.#lostBefore);
    this.#lostBefore = stats.lost;
    for (const snapshot of snapshots) {
      this.#take(snapshot, lost);
      lost = 0;
    }
    if (snapshots.length > 0) this.#fail(undefined);
    else if (stats.failed > this.#failedBefore) this.#fail(stats.lastError?.message ?? 'unknown');
    this.#failedBefore = stats.failed;
    this.#applyFilter();
  }

  #take(snapshot: Snapshot, lostSamples: number): void {
    const atMs = snapshot.monotonicUs / 1000;
    if (atMs <= this.#lastBatchMs) return;
    this.#lastBatchMs = atMs;
    const batch = toSampleBatch(snapshot, {
      interfaceOf: this.#options.interfaceOf,
      wanted: (socket) => this.#wanted(socket, atMs),
      lostSamples,
    });
    this.#sawMptcp = batch.connections.some((connection) => connection.kind !== 'tcp');
    this.#options.onBatch(batch);
  }

  #wanted(socket: Pick<RawConnection, 'remote' | 'inode' | 'uid'>, atMs: number): boolean {
    const { owner } = this.#options;
    // Closed by its application: the kernel may linger over it for a minute, the stream does not use it.
    if (socket.inode === 0) return false;
    if (!this.origins.matches(socket.remote)) return false;
    if (owner?.uid !== undefined && socket.uid !== owner.uid) return false;
    return owner?.pids === undefined || this.#isOwn(owner.pids, socket.inode, atMs);
  }

  #isOwn(pids: () => readonly number[], inode: number, atMs: number): boolean {
    if (!this.#ownInodes.has(inode) && atMs - this.#searchedAtMs >= ownerSearchMs) {
      this.#searchedAtMs = atMs;
      this.#ownInodes = new Set(pids().flatMap((pid) => [...socketsOf(pid).values()]));
    }
    return this.#ownInodes.has(inode);
  }

  #fail(message: string | undefined): void {
    if (message === this.#failure) return;
    this.#failure = message;
    this.#options.onFailure(message);
  }
}
