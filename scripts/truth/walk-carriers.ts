// Ways in which the walk's player fetches: one persistent connection, or byte ranges over every network.
import { Agent, get } from 'node:http';
import { NetworkFetcher } from '../../src/fetch';
import { loadNative, monotonicClock } from '../../src/kernel';

export interface WalkRequest {
  path: string;
  bytes: number;
  /** Time until its last byte is needed; undefined: as soon as possible. */
  neededInMs?: number | undefined;
}

export interface WalkCarrier {
  /** Resolves when all bytes are here. @param onBytes called with the bytes of it that are here in order */
  fetch(request: WalkRequest, onBytes: (bytes: number) => void): Promise<void>;
  /** The next segment may be requested before the present one is complete. */
  asksAhead: boolean;
  /** Bytes received so far, each counted once. */
  usefulBytes(): number;
  /** Bytes that came twice, of those that came; undefined where that cannot be. */
  twiceShare(): number | undefined;
  close(): void;
}

/** A browser's request after request on one connection. */
export function overOneConnection(origin: string): WalkCarrier {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let received = 0;
  return {
    asksAhead: false,
    fetch: ({ path }, onBytes) =>
      new Promise((resolve, reject) => {
        get(origin + path, { agent }, (answer) => {
          let bytes = 0;
          answer.on('data', (piece: Buffer) => {
            bytes += piece.length;
            received += piece.length;
            onBytes(bytes);
          });
          answer.on('end', resolve).on('error', reject);
        }).on('error', reject);
      }),
    usefulBytes: () => received,
    twiceShare: () => undefined,
    close: () => agent.destroy(),
  };
}

/** The product's fetcher. */
export async function overRanges(origin: string): Promise<WalkCarrier> {
  const fetcher = new NetworkFetcher({ addon: loadNative(), clock: monotonicClock });
  await fetcher.ready;
  const sum = (key: 'receivedBytes' | 'duplicateBytes'): number =>
    fetcher.report().networks.reduce((total, network) => total + network[key], 0);
  return {
    asksAhead: true,
    fetch: ({ path, bytes: expectedBytes, neededInMs }, onBytes) =>
      new Promise((resolve, reject) => {
        let bytes = 0;
        const request = {
          url: new URL(origin + path),
          headers: {},
          joinable: true,
          expectedBytes,
          neededAtMs: neededInMs === undefined ? undefined : fetcher.nowMs() + neededInMs,
        };
        void fetcher.fetch(request, {
          onHead: () => undefined,
          onData(piece) {
            bytes += piece.length;
            onBytes(bytes);
            return true;
          },
          onEnd: resolve,
          onFailure: (status, reason) => reject(new Error(`${status}: ${reason}`)),
        });
      }),
    usefulBytes: () => sum('receivedBytes') - sum('duplicateBytes'),
    twiceShare: () => sum('duplicateBytes') / Math.max(1, sum('receivedBytes')),
    close: () => fetcher.close(),
  };
}
