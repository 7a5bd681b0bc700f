import { errorText, type PathEvent, type SampleBatch, type TransportStatus } from '../../core';
import { createTransportHub, type Transport, type TransportMessage } from '../../ports';
import {
  diffBatches,
  transportStatus,
  type MptcpEvent,
  type MptcpEvents,
  type NetworkChange,
  type NetworkEvents,
  createMptcpEvents,
  createNetworkEvents,
  type EventsNote,
  SubflowMonitor,
  type Lookup,
  type Native,
  type SocketOwner,
  monotonicNowMs,
  loadNative,
} from '../../kernel';
import { MptcpSettings } from './mptcp-settings';
import { createPathBook } from './path-book';

export interface LinuxFeedOptions {
  /** Loads the addon (default: this package's). Its error becomes the status. */
  loadNative?: () => Native;
  /** Owner of the sockets. By default all sockets to the watched origins count. */
  owner?: SocketOwner;
  /** Sampling period, 10 to 10000; default 100. */
  periodMs?: number;
  /** Called with the kernel events that are missing and the reason. Playback continues. */
  onNote?: (note: EventsNote) => void;
  lookup?: Lookup;
}

export interface LinuxFeed extends Transport {
  /**
   * Resolves when interfaces are known, kernel events are subscribed (or noted as missing) and sampling runs.
   */
  readonly ready: Promise<void>;
}

/** Interval of empty batches, which show without subflows that the feed is alive. */
const EMPTY_BATCH_MS = 1000;
/** A status without connections waits this long: players reconnect. */
const IDLE_GRACE_MS = 1000;

/**
 * The feed of this machine: subflow samples, path events and the status of the media's transport, for the
 * network namespace of this process. The status names what cannot be observed.
 */
export function createLinuxFeed(options: LinuxFeedOptions = {}): LinuxFeed {
  return new KernelFeed(options);
}

class KernelFeed implements LinuxFeed {
  readonly ready: Promise<void>;
  readonly #options: LinuxFeedOptions;
  readonly #hub = createTransportHub({ state: 'idle', reason: 'No stream is open yet.' });
  readonly #book = createPathBook();
  readonly #settings = new MptcpSettings(monotonicNowMs());
  readonly #network: NetworkEvents;
  readonly #mptcp: MptcpEvents;
  #monitor: SubflowMonitor | undefined;
  #origins: readonly string[] = [];
  /** The newest batch. */
  #last: SampleBatch | undefined;
  /** Reason why subflows cannot be observed. */
  #unobservable: string | undefined;
  /** The kernel has MPTCP. */
  #isSupported = true;
  #lastSentMs = -Infinity;
  #lastConnectedMs = -Infinity;

  constructor(options: LinuxFeedOptions) {
    this.#options = options;
    const onNote = (item: EventsNote): void => options.onNote?.(item);
    this.#network = createNetworkEvents({ onChange: (change) => this.#onChange(change), onNote });
    this.#mptcp = createMptcpEvents({ onEvent: (event) => this.#onMptcpEvent(event), onNote });
    this.ready = this.#start();
  }

  nowMs(): number {
    return monotonicNowMs();
  }

  subscribe(listener: (message: TransportMessage) => void): () => void {
    return this.#hub.subscribe(listener);
  }

  watch(origins: readonly string[]): void {
    this.#origins = [...origins];
    void this.#monitor?.watch(this.#origins).then(() => this.#reportStatus());
    this.#reportStatus();
  }

  close(): void {
    if (this.#hub.closed) return;
    this.#monitor?.stop();
    this.#network.close();
    this.#mptcp.close();
    this.#hub.publish({ type: 'closed', reason: 'The feed was closed.' });
  }

  async #start(): Promise<void> {
    await Promise.all([this.#network.start(), this.#mptcp.start()]);
    if (this.#hub.closed) return;
    try {
      this.#startMonitor();
    } catch (error) {
      this.#unobservable = errorText(error);
    }
    this.#reportStatus();
  }

  #startMonitor(): void {
    const { owner, periodMs, lookup } = this.#options;
    const native = (this.#options.loadNative ?? loadNative)();
    const can = native.capabilities();
    this.#isSupported = can.mptcp || can.mptcpDiag;
    const throughProcesses = !can.ulpInfo && can.mptcp && owner?.pids !== undefined;
    if (!can.ulpInfo && can.mptcp && !throughProcesses) this.#unobservable = can.ulpInfoReason;
    this.#monitor = new SubflowMonitor({
      native,
      interfaceOf: (address) => this.#network.table.ownerOf(address),
      onBatch: (batch) => this.#onBatch(batch),
      onFailure: (message) => {
        this.#unobservable = message;
        this.#reportStatus();
      },
      throughProcesses,
      ...(owner ? { owner } : {}),
      ...(periodMs === undefined ? {} : { periodMs }),
      ...(lookup ? { lookup } : {}),
    });
    void this.#monitor.watch(this.#origins).then(() => this.#reportStatus());
    this.#monitor.start();
  }

  #onBatch(batch: SampleBatch): void {
    if (batch.connections.length > 0) this.#lastConnectedMs = batch.monotonicMs;
    const events = diffBatches(this.#last, batch).map((event) => this.#book.explain(event));
    this.#last = batch;
    this.#book.update(batch);
    this.#reportStatus();
    for (const event of events) this.#publishPath(event);
    const isIdle = batch.connections.length === 0 && batch.lostSamples === 0 && events.length === 0;
    if (isIdle && batch.monotonicMs - this.#lastSentMs < EMPTY_BATCH_MS) return;
    this.#lastSentMs = batch.monotonicMs;
    this.#hub.publish({ type: 'samples', batch });
  }

  #onChange(change: NetworkChange): void {
    for (const event of this.#book.eventsOf(change, monotonicNowMs())) this.#publishPath(event);
    this.#reportStatus();
  }

  #onMptcpEvent(event: MptcpEvent): void {
    this.#book.onEvent(event);
    // The kernel's event contains no cookie and no interface. An immediate sample gives both.
    const isNews = event.kind.startsWith('subflow-') || event.kind === 'established';
    if (isNews) this.#monitor?.lookNow();
  }

  #publishPath(event: PathEvent): void {
    this.#hub.publish({ type: 'path', event });
  }

  #reportStatus(): void {
    const now = monotonicNowMs();
    this.#settings.refresh(now);
    const status: TransportStatus = transportStatus({
      mptcpSupported: this.#isSupported,
      mptcpEnabled: this.#settings.isEnabled,
      mptcpSuspended: this.#settings.wasSuspended,
      userspacePathManager: this.#settings.hasUserspacePathManager,
      unobservable: this.#unobservable,
      watching: this.#monitor?.origins.watching ?? false,
      unresolvedHosts: this.#monitor?.origins.unresolvedHosts ?? [],
      connections: this.#last?.connections ?? [],
      interfaces: this.#network.table.list(),
    });
    const known = this.#hub.status();
    if (status.state === known.state && status.reason === known.reason) return;
    const isBrief = status.state === 'idle' && now - this.#lastConnectedMs < IDLE_GRACE_MS;
    if (!isBrief) this.#hub.publish({ type: 'status', status });
  }
}
