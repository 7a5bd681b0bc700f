import type { CarriageReport, CarriedChunk, TransportStatus } from '../../core';
import { limits } from '../../ipc';
import { createTransportHub, type Clock, type Transport } from '../../ports';
import type { GatewayServer, NetworkFetcher } from '../../fetch';
import { usesGateway, type ChosenCarriage } from './choose-carriage';

export interface CarriageFeedOptions {
  /** The kernel's feed. Its samples and status describe the stream unless the gateway fetches it. */
  feed: Transport;
  fetcher: NetworkFetcher;
  gateway: GatewayServer;
  clock: Clock;
  /** Calls back after the end of each byte range request. Returns the function that stops this. */
  onChunk: (listener: (chunk: CarriedChunk) => void) => () => void;
  /** Calls back when the choice may have changed. Returns the function that stops this. */
  onChange: (listener: () => void) => () => void;
  /** The carriage of the stream at this moment. */
  chosen: () => ChosenCarriage;
}

/** Interval of the kernel's own samples. */
const SAMPLE_MS = 100;
/** Interval of reports about the carriage, which the viewer reads. Chosen; no measurement. */
const REPORT_MS = 1000;

function reportOf(chosen: ChosenCarriage, fetched: CarriageReport): CarriageReport {
  const { state, reason } = chosen;
  if (state === 'ranges') return fetched;
  if (state === 'whole-objects') return { ...fetched, reason, isWhole: true };
  if (usesGateway(chosen)) return { ...fetched, reason };
  return { ...fetched, carriage: state === 'mptcp' ? 'mptcp' : 'single', reason };
}

function statusOf(report: CarriageReport): TransportStatus {
  const out = report.networks.filter(({ outReason }) => outReason !== undefined);
  const used = report.networks.filter(({ receivedBytes }) => receivedBytes > 0);
  const names = used.map(({ networkId }) => networkId).join(', ');
  const notes = out.map(({ networkId, outReason }) => `${networkId} is out: ${outReason ?? ''}`);
  const many = used.length > 1;
  const what = many
    ? `Byte ranges over ${used.length} networks: ${names}.`
    : used.length === 1
      ? `Byte ranges over ${names}.`
      : 'No media has been fetched yet.';
  const state = used.length === 0 ? 'idle' : many ? 'multipath' : 'single-subflow';
  return { state, reason: [what, ...notes].join(' ').slice(0, 2000) };
}

/**
 * The feed of a page whose media the gateway fetches. It contains the fetcher's samples of each network in place of
 * the kernel's samples of unrelated sockets, and reports of the carriage.
 */
export function createCarriageFeed(options: CarriageFeedOptions): Transport {
  const { feed, fetcher, gateway, clock } = options;
  const hub = createTransportHub({ state: 'idle', reason: 'No stream is open yet.' });
  let reportedMs = -Infinity;
  let known = '';
  let kernelStatus: TransportStatus | undefined;
  let chunks: CarriedChunk[] = [];
  const stopChunks = options.onChunk((chunk) => {
    if (chunks.length < limits.chunks) chunks.push(chunk);
  });

  const tick = (): void => {
    const chosen = options.chosen();
    const isFetched = usesGateway(chosen);
    const now = reportOf(chosen, fetcher.report());
    const nowMs = clock.nowMs();
    const shape = JSON.stringify([
      chosen.state,
      now.carriage,
      now.networks.map((n) => [n.networkId, n.outReason]),
    ]);
    const moved = (fetcher.busy || chunks.length > 0) && nowMs - reportedMs >= REPORT_MS;
    if (shape !== known || moved) {
      known = shape;
      reportedMs = nowMs;
      hub.publish({
        type: 'carriage',
        report: now,
        ...(isFetched || chosen.state === 'mptcp' ? { gatewayUrl: gateway.url } : {}),
        chunks,
      });
      chunks = [];
    }
    // The kernel's status may have changed while the gateway carried the stream.
    const status = isFetched ? statusOf(now) : kernelStatus;
    const before = hub.status();
    if (status && (status.state !== before.state || status.reason !== before.reason)) {
      hub.publish({ type: 'status', status });
    }
    if (!isFetched) return;
    const sample = fetcher.sample();
    if (!sample) return;
    const batch = { monotonicMs: nowMs, connections: [sample], lostSamples: 0 };
    hub.publish({ type: 'samples', batch });
  };

  const unsubscribe = feed.subscribe((message) => {
    if (message.type === 'status') kernelStatus = message.status;
    // Carrier, addresses and routes come from the kernel in every carriage.
    if (message.type === 'path' || message.type === 'closed') hub.publish(message);
    else if (!usesGateway(options.chosen())) hub.publish(message);
  });
  const stopChanges = options.onChange(tick);
  const timer = setInterval(tick, SAMPLE_MS);
  // The first report follows at once where the networks are known, so that a page hears of the gateway before it asks for its manifest.
  if (fetcher.networks.length > 0) tick();
  else void fetcher.ready.then(tick);

  return {
    nowMs: () => clock.nowMs(),
    subscribe: (listener) => hub.subscribe(listener),
    watch(origins) {
      gateway.allow(origins);
      feed.watch(origins);
    },
    close() {
      if (hub.closed) return;
      clearInterval(timer);
      unsubscribe();
      stopChunks();
      stopChanges();
      feed.close();
      hub.publish({ type: 'closed', reason: 'The feed was closed.' });
    },
  };
}
