import { setTimeout as sleep } from 'node:timers/promises';
import type { KernelSample } from '../../experiments';
import type { LabNetwork } from '../../lab';
import type { loadNative } from '../../kernel';

type Native = ReturnType<typeof loadNative>;

/** Shorter than the figures require, so that a late timer costs no sample. */
const POLL_MS = 5;

/** One connection of the client, and one subflow of the server for each path, by the client's address. */
interface Seen {
  atUs: number;
  received: ReadonlyMap<string, number>;
  subflows: ReadonlyMap<string, { sentBytes: number; srttMs: number | null }>;
}

function look(native: Native, netns: string, clients: readonly string[]): Seen {
  const { monotonicUs, connections } = native.snapshot();
  const { subflows } = native.snapshot({ netns });
  return {
    atUs: monotonicUs,
    received: new Map(connections.map(({ cookie, bytesReceived = 0 }) => [cookie, bytesReceived])),
    subflows: new Map(
      subflows
        .filter(({ remote }) => clients.includes(remote.address))
        .map(({ remote, tcp }) => [
          `${remote.address} ${remote.port}`,
          {
            sentBytes: tcp?.bytesSent ?? 0,
            srttMs: tcp?.rttUs === undefined ? null : tcp.rttUs / 1000,
          },
        ]),
    ),
  };
}

const largest = (values: ReadonlyMap<string, number>): string | undefined =>
  [...values].sort((a, b) => b[1] - a[1])[0]?.[0];

/** Turns what was seen into the download's samples: the connection and the subflows that carried most. */
function samplesOf(all: readonly Seen[], clients: readonly string[]): KernelSample[] {
  const last = all.at(-1);
  if (last === undefined) return [];
  const connection = largest(last.received) ?? '';
  const main = clients.map((address) =>
    largest(
      new Map(
        [...last.subflows].flatMap(([key, { sentBytes }]): [string, number][] =>
          key.startsWith(`${address} `) ? [[key, sentBytes]] : [],
        ),
      ),
    ),
  );
  return all.map(({ atUs, received, subflows }) => ({
    atUs,
    receivedBytes: received.get(connection) ?? 0,
    srttMs: main.map((key) => subflows.get(key ?? '')?.srttMs ?? null),
  }));
}

export interface WatchDownloadOptions {
  native: Native;
  network: LabNetwork;
  durationMs: number;
  /** Bytes at the client that only the download has. */
  minBytes: number;
  signal: AbortSignal;
  onStart: () => Promise<void>;
}

/** Time for the download to begin. */
const PATIENCE_MS = 10_000;

/**
 * Samples both kernels from the start of a download on.
 * @throws Error if no download begins
 */
export async function watchDownload(options: WatchDownloadOptions): Promise<KernelSample[]> {
  const { native, network, durationMs, minBytes, signal, onStart } = options;
  const clients = network.addressesOf('client');
  const netns = network.netnsOf('server') ?? '';
  const deadlineMs = performance.now() + PATIENCE_MS;
  const all: Seen[] = [];
  let endUs: number | undefined;
  for (;;) {
    signal.throwIfAborted();
    const seen = look(native, netns, clients);
    all.push(seen);
    if (endUs === undefined && Math.max(0, ...seen.received.values()) >= minBytes) {
      endUs = seen.atUs + durationMs * 1000;
      await onStart();
    }
    if (endUs === undefined && performance.now() > deadlineMs) {
      throw new Error('no data of the download arrived');
    }
    if (endUs !== undefined && seen.atUs > endUs) return samplesOf(all, clients);
    await sleep(POLL_MS);
  }
}
