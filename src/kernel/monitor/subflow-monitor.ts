import process from 'node:process';
import { errorText, SAMPLE_PERIOD_MS, type SampleBatch } from '../../core';
import type { RawConnection, Snapshot, SnapshotFilter } from '../../../native/index';
import { ReceivedBytes, toSampleBatch } from '../codec';
import { OriginResolver, type Lookup } from './origin-resolver';
import { createProcessSource } from './process-source';
import { socketsOf } from './process-sockets';
import { processTree } from './process-tree';
import type { Native, SnapshotSource } from './snapshot-source';

/** Owner of the watched sockets; default: any owner, if they go to the watched origins. */
export interface SocketOwner {
  /** Asked again at every unknown socket. */
  pids?: () => readonly number[];
  uid?: number;
}

export interface SubflowMonitorOptions {
  native: Pick<Native, 'Sampler' | 'snapshot' | 'dupFd' | 'fullInfo' | 'closeFd'>;
  /** Interface that owns a local address, if known. */
  interfaceOf: (address: string) => string | undefined;
  onBatch: (batch: SampleBatch) => void;
  /** Called if sampling fails (with the fix) or recovers (undefined). */
  onFailure: (message: string | undefined) => void;
  owner?: SocketOwner;
  /** Read the sockets of `owner.pids` directly if inet_diag hides subflows. Default false. */
  throughProcesses?: boolean;
  /** Default 100. */
  periodMs?: number;
  /** Network namespace by name or path; default the caller's. */
  netns?: string;
  lookup?: Lookup;
}

/** The addon's bound on filter entries. */
const MAX_FILTER_REMOTES = 64;
/** Minimum interval between searches of processes for unknown sockets. */
const OWNER_SEARCH_MS = 500;

/** Samples the subflows under the watched origins and delivers batches in the product's terms. */
export class SubflowMonitor {
  readonly origins: OriginResolver;
  readonly #options: SubflowMonitorOptions;
  readonly #source: SnapshotSource;
  readonly #received = new ReceivedBytes();
  #lastBatchMs = -1;
  #lostBefore = 0;
  #failedBefore = 0;
  #failure: string | undefined;
  /** The source's current filter as text, so that it is set only on a change. */
  #filterKey = '';
  #sawMptcp = false;
  #ownInodes = new Set<number>();
  #searchedAtMs = -Infinity;
  /** Sockets of this process and of those it started, a browser's among them. */
  #treeInodes = new Set<number>();
  #treeSearchedAtMs = -Infinity;

  constructor(options: SubflowMonitorOptions) {
    this.#options = options;
    this.origins = new OriginResolver(options.lookup);
    const onReadable = (): void => this.#read();
    const periodMs = options.periodMs ?? SAMPLE_PERIOD_MS;
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

  /** Replaces the watched origins; resolves once their names were looked up. */
  async watch(origins: readonly string[]): Promise<void> {
    const looked = this.origins.watch(origins);
    this.#applyFilter();
    await looked;
    this.#applyFilter();
  }

  /** Takes a snapshot now instead of at the next period, for example after a kernel event. */
  lookNow(): void {
    if (this.#options.throughProcesses === true) return;
    this.#read();
    // This also makes the sampler dump everything, so that its next snapshot is complete.
    this.#applyFilter(true);
    try {
      const { netns } = this.#options;
      const filter = this.#filter();
      this.#take(
        this.#options.native.snapshot(netns === undefined ? filter : { ...filter, netns }),
        0,
      );
    } catch (error) {
      this.#fail(errorText(error));
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
      ...(remotes.length > 0 && remotes.length <= MAX_FILTER_REMOTES ? { remotes } : {}),
      ...(uid === undefined ? {} : { uids: [uid] }),
      // Plain TCP only matters without MPTCP connections, and finding it costs full dumps.
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
      rankOf: (socket) => this.#rankOf(socket, atMs),
      received: this.#received,
      lostSamples,
    });
    this.#sawMptcp = batch.connections.some((connection) => connection.kind !== 'tcp');
    this.#options.onBatch(batch);
  }

  #wanted(socket: Pick<RawConnection, 'remote' | 'inode' | 'uid'>, atMs: number): boolean {
    const { owner } = this.#options;
    // Closed by its application: the kernel may keep it for a minute, but the stream does not use it.
    if (socket.inode === 0) return false;
    if (!this.origins.matches(socket.remote)) return false;
    if (owner?.uid !== undefined && socket.uid !== owner.uid) return false;
    return owner?.pids === undefined || this.#isOwn(owner.pids, socket.inode, atMs);
  }

  /** The player's own come first, then this user's, then those of others to the same server. */
  #rankOf({ inode, uid }: Pick<RawConnection, 'inode' | 'uid'>, atMs: number): number {
    if (atMs - this.#treeSearchedAtMs >= OWNER_SEARCH_MS) {
      this.#treeSearchedAtMs = atMs;
      const inodes = processTree(process.pid).flatMap((pid) => [...socketsOf(pid).values()]);
      this.#treeInodes = new Set(inodes);
    }
    if (this.#treeInodes.has(inode)) return 0;
    return uid === process.getuid?.() ? 1 : 2;
  }

  #isOwn(pids: () => readonly number[], inode: number, atMs: number): boolean {
    if (!this.#ownInodes.has(inode) && atMs - this.#searchedAtMs >= OWNER_SEARCH_MS) {
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
