import {
  createBrowserClock,
  createIpcTransport,
  createWebSocketTransport,
  FeedError,
  FeedLogSink,
  type FeedBridge,
  type FeedClient,
  type WebSocketTransportOptions,
  parseUrl,
} from '../player';
import type { FeedConnection } from './feed-connection-types';

/** The module behind `connectAgent` and `connectBridge`: they load it, and its message schemas, on first use. */
export async function overWebSocket(options: WebSocketTransportOptions): Promise<FeedConnection> {
  const { url } = options;
  if (!/^wss?:$/.test(parseUrl(url)?.protocol ?? '')) {
    throw new FeedError(
      `url: expected the ws: address that the agent printed, got ${JSON.stringify(url)}`,
    );
  }
  return connection(createWebSocketTransport(options), options.onProblem);
}

/** The same over the bridge of a preload script. */
export function overBridge(
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
