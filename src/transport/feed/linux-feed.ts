import { errorText, type PathEvent, type SampleBatch, type TransportStatus } from '../../core';
import { createTransportHub, type Transport } from '../../ports';
import {
  diffBatches,
  transportStatus,
  type MptcpEvent,
  type NetworkChange,
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
  const hub = createTransportHub({ state: 'idle', reason: 'No stream is open yet.' });
  const book = createPathBook();
  let monitor: SubflowMonitor | undefined;
  let before: SampleBatch | undefined;
  let unobservable: string | undefined;
  let supported = true;
  const settings = new MptcpSettings(monotonicNowMs());
  let lastSentMs = -Infinity;
  let lastConnectedMs = -Infinity;

  const note = (item: EventsNote): void => options.onNote?.(item);
  const publishPath = (event: PathEvent): void => hub.publish({ type: 'path', event });

  const reportStatus = (): void => {
    const now = monotonicNowMs();
    settings.refresh(now);
    const status: TransportStatus = transportStatus({
      mptcpSupported: supported,
      mptcpEnabled: settings.isEnabled,
      mptcpSuspended: settings.wasSuspended,
      userspacePathManager: settings.hasUserspacePathManager,
      unobservable,
      watching: monitor?.origins.watching ?? false,
      unresolvedHosts: monitor?.origins.unresolvedHosts ?? [],
      connections: before?.connections ?? [],
      interfaces: network.table.list(),
    });
    const known = hub.status();
    if (status.state === known.state && status.reason === known.reason) return;
    const gone = status.state === 'idle' && now - lastConnectedMs < IDLE_GRACE_MS;
    if (!gone) hub.publish({ type: 'status', status });
  };

  const onBatch = (batch: SampleBatch): void => {
    if (batch.connections.length > 0) lastConnectedMs = batch.monotonicMs;
    const events = diffBatches(before, batch).map((event) => book.explain(event));
    before = batch;
    book.update(batch);
    reportStatus();
    events.forEach(publishPath);
    const idle = batch.connections.length === 0 && batch.lostSamples === 0 && events.length === 0;
    if (idle && batch.monotonicMs - lastSentMs < EMPTY_BATCH_MS) return;
    lastSentMs = batch.monotonicMs;
    hub.publish({ type: 'samples', batch });
  };

  const onChange = (change: NetworkChange): void => {
    for (const event of book.eventsOf(change, monotonicNowMs())) publishPath(event);
    reportStatus();
  };
  const onMptcpEvent = (event: MptcpEvent): void => {
    book.onEvent(event);
    // The kernel's event contains no cookie and no interface. An immediate sample gives both.
    const isNews = event.kind.startsWith('subflow-') || event.kind === 'established';
    if (isNews) monitor?.lookNow();
  };

  const network = createNetworkEvents({ onChange, onNote: note });
  const mptcp = createMptcpEvents({ onEvent: onMptcpEvent, onNote: note });

  const startMonitor = (): void => {
    try {
      const native = (options.loadNative ?? loadNative)();
      const can = native.capabilities();
      supported = can.mptcp || can.mptcpDiag;
      const throughProcesses = !can.ulpInfo && can.mptcp && options.owner?.pids !== undefined;
      if (!can.ulpInfo && can.mptcp && !throughProcesses) unobservable = can.ulpInfoReason;
      monitor = new SubflowMonitor({
        native,
        interfaceOf: (address) => network.table.ownerOf(address),
        onBatch,
        onFailure(message) {
          unobservable = message;
          reportStatus();
        },
        throughProcesses,
        ...(options.owner ? { owner: options.owner } : {}),
        ...(options.periodMs === undefined ? {} : { periodMs: options.periodMs }),
        ...(options.lookup ? { lookup: options.lookup } : {}),
      });
      void monitor.watch(origins).then(reportStatus);
      monitor.start();
    } catch (error) {
      unobservable = errorText(error);
    }
    reportStatus();
  };

  let origins: readonly string[] = [];
  const start = async (): Promise<void> => {
    await Promise.all([network.start(), mptcp.start()]);
    if (!hub.closed) startMonitor();
  };

  return {
    ready: start(),
    nowMs: monotonicNowMs,
    subscribe: (listener) => hub.subscribe(listener),
    watch(wanted) {
      origins = [...wanted];
      void monitor?.watch(origins).then(reportStatus);
      reportStatus();
    },
    close() {
      if (hub.closed) return;
      monitor?.stop();
      network.close();
      mptcp.close();
      hub.publish({ type: 'closed', reason: 'The feed was closed.' });
    },
  };
}
