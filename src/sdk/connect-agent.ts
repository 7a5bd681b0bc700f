import type { FeedBridge, WebSocketTransportOptions } from '../player';
import type { FeedConnection } from './feed-connection-types';

/** Options of `connectAgent`: the address and token printed by the agent. */
export type ConnectAgentOptions = WebSocketTransportOptions;

/**
 * Connects to the loopback agent (`multipath-dash agent`) over a WebSocket.
 * @returns after the agent's hello
 * @throws FeedError when `url` is no valid address, or when the agent cannot be reached, refuses the token or stays silent
 */
export async function connectAgent(options: ConnectAgentOptions): Promise<FeedConnection> {
  const { overWebSocket } = await import('./feed-connection');
  return overWebSocket(options);
}

/**
 * Connects to Electron's main process through the preload script's bridge.
 * @returns after the main process's hello
 * @throws FeedError when it ends the feed before that
 */
export async function connectBridge(
  bridge: FeedBridge,
  onProblem?: (problem: string) => void,
): Promise<FeedConnection> {
  const { overBridge } = await import('./feed-connection');
  return overBridge(bridge, onProblem);
}
