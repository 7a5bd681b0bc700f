// Ways to fetch one URL repeatedly: over one connection of plain TCP or MPTCP, or in ranges over every network.
import { Agent, get } from 'node:http';
import { Socket } from 'node:net';
import type { CarriedChunk } from '../../../src/core';
import { NetworkFetcher } from '../../../src/fetch';
import { createChunkScheduler } from '../../../src/chunks';
import { SEGMENT_BYTES } from './network';
import { loadNative, monotonicClock } from '../../../src/kernel';

/** Multiples of the golden ratio are spread evenly, and the same in every run. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

export interface Carrier {
  /**
   * Resolves with the bytes when all have arrived.
   * @param onBytes called with every piece in order
   */
  fetch(url: string, onBytes: (bytes: number) => void): Promise<number>;
  /** Announces the next object. */
  announce?(url: string): void;
  /** Bytes that arrived twice, and those of objects that nobody requested. */
  wastedBytes(): number;
  receivedBytes(): number;
  close(): void;
}

/** One persistent HTTP/1.1 connection with sequential requests, as in a browser. */
export function oneConnection(mptcp: boolean): Carrier {
  const addon = loadNative();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let received = 0;
  if (mptcp) {
    agent.createConnection = (options: { host?: string; port?: number }) => {
      const socket = new Socket({ fd: addon.openSocket({ family: 4, mptcp: true }) });
      return socket.connect({ host: options.host ?? '', port: Number(options.port) });
    };
  }
  return {
    fetch: (url, onBytes) =>
      new Promise((resolve, reject) => {
        get(url, { agent }, (response) => {
          let bytes = 0;
          response.on('data', (chunk: Buffer) => {
            bytes += chunk.length;
            received += chunk.length;
            onBytes(chunk.length);
          });
          response.once('end', () => resolve(bytes));
          response.once('error', reject);
        }).once('error', reject);
      }),
    wastedBytes: () => 0,
    receivedBytes: () => received,
    close: () => agent.destroy(),
  };
}

export interface RangesOptions {
  scheduler?: string;
  /** Default {@link SEGMENT_BYTES}. */
  segmentBytes?: number;
  config?: object;
  extraCa?: string | undefined;
  onChunk?: (chunk: CarriedChunk) => void;
  onNetworks?: (networks: readonly { id: string }[]) => void;
}

/** The player's own fetcher. */
export async function ranges(options: RangesOptions = {}): Promise<Carrier> {
  const fetcher = new NetworkFetcher({
    addon: loadNative(),
    clock: monotonicClock,
    scheduler: createChunkScheduler(options.scheduler, options.config),
    extraCa: options.extraCa,
    ...(options.onChunk ? { onChunk: options.onChunk } : {}),
    ...(options.onNetworks ? { onNetworks: options.onNetworks } : {}),
  });
  await fetcher.ready;
  let count = 0;
  const requestOf = (url: string) => {
    count += 1;
    // Sizes of segments of a variable bit rate differ from their rung's mean by this share.
    const expectedBytes =
      (options.segmentBytes ?? SEGMENT_BYTES) * (0.75 + 0.5 * ((count * GOLDEN) % 1));
    return { url: new URL(url), headers: {}, joinable: true, stream: 'video', expectedBytes };
  };
  const sum = (key: 'duplicateBytes' | 'unreadBytes' | 'receivedBytes'): number =>
    fetcher.report().networks.reduce((total, network) => total + network[key], 0);
  return {
    fetch: (url, onBytes) =>
      new Promise((resolve, reject) => {
        let bytes = 0;
        void fetcher.fetch(requestOf(url), {
          onHead: () => undefined,
          onData(chunk) {
            bytes += chunk.length;
            onBytes(chunk.length);
            return true;
          },
          onEnd: () => resolve(bytes),
          onFailure: (status, reason) => reject(new Error(`${status}: ${reason}`)),
        });
      }),
    announce: (url) => fetcher.announce(requestOf(url)),
    wastedBytes: () => sum('duplicateBytes') + sum('unreadBytes'),
    receivedBytes: () => sum('receivedBytes'),
    close: () => fetcher.close(),
  };
}
