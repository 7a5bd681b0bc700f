import type { FeedUp } from '../../ipc';
import { FeedClient } from './feed-client';

/**
 * The preload script's interface to the page: message passing only, so everything else stays behind the
 * validated schema.
 */
export interface FeedBridge {
  send(message: FeedUp): void;
  /** Calls back for every message; returns the function that stops. */
  onMessage(callback: (message: unknown) => void): () => void;
  close(): void;
}

export interface IpcTransportOptions {
  onProblem?: (problem: string) => void;
  localNowMs?: () => number;
}

/** A Transport fed by Electron's main process through the preload bridge. */
export function createIpcTransport(
  bridge: FeedBridge,
  options: IpcTransportOptions = {},
): FeedClient {
  // The bridge may deliver a message before it has returned the function that stops it.
  const listening: { stop?: () => void } = {};
  const client = new FeedClient({
    name: 'the main process',
    send: (message) => bridge.send(message),
    disconnect: () => {
      listening.stop?.();
      bridge.close();
    },
    onProblem: options.onProblem,
    ...(options.localNowMs ? { localNowMs: options.localNowMs } : {}),
  });
  listening.stop = bridge.onMessage((message) => client.receive(message));
  return client;
}
