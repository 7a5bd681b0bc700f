import {
  FeedLogSink,
  createBrowserClock,
  createIpcTransport,
  createWebSocketTransport,
  type FeedBridge,
  type FeedClient,
  type WebSocketTransportOptions,
} from '../player';
import type { LogSink, Transport } from '../ports';

/** A live connection to whatever watches the network. Hand both parts to `createMultipathPlayer`. */
export interface FeedConnection {
  transport: Transport;
  logSink: LogSink;
  /** Flushes the log, then lets the connection go. Destroy the player first. */
  close(): Promise<void>;
}

/** What `connectAgent` needs: the address and token the agent printed. */
export type ConnectAgentOptions = WebSocketTransportOptions;

/**
 * Connects to the loopback agent (`multipath-dash agent`) over a WebSocket.
 * @returns once the agent has said hello
 * @throws FeedError when the agent cannot be reached, refuses the token or stays silent
 */
export async function connectAgent(options: ConnectAgentOptions): Promise<FeedConnection> {
  return connection(createWebSocketTransport(options), options.onProblem);
}

/**
 * Connects to Electron's main process through what the preload script exposes.
 * @returns once the main process has said hello
 * @throws FeedError when it ends the feed before that
 */
export async function connectBridge(
  bridge: FeedBridge,
  onProblem?: (problem: string) => void,
): Promise<FeedConnection> {
  return connection(createIpcTransport(bridge, onProblem ? { onProblem } : {}), onProblem);
}

async function connection(
  client: FeedClient,
  onProblem?: (problem: string) => void,
): Promise<FeedConnection> {
  await client.ready();
  const logSink = new FeedLogSink({
    channel: client,
    clock: createBrowserClock(client),
    page: globalThis,
    ...(onProblem ? { onError: onProblem } : {}),
  });
  return {
    transport: client,
    logSink,
    close: async () => {
      await logSink.close();
      client.close();
    },
  };
}
