export { createMultipathPlayer } from './create-player';
export type { MultipathPlayer, MultipathPlayerOptions } from './player-options';
export { createNetworkMemory, type NetworkMemory } from './network-memory';
export type { RememberedPath } from '../paths';
export { policies as pathPolicies } from '../paths';
export { abrChoices, type AbrChoice, type DashSettings } from './dash-settings';
export { createBrowserClock, every } from './browser-clock';
export { Origins } from './origins';
export { Session, type NewEvent } from './session';
export { playerVersion } from './version';
export { VideoWatch } from './video-watch';
export { FeedClient, FeedError } from './feed/feed-client';
export { FeedLogSink, type FeedLogSinkOptions } from './feed/feed-log-sink';
export type { FeedChannel } from './feed/feed-channel';
export {
  createWebSocketTransport,
  type WebSocketLike,
  type WebSocketTransportOptions,
} from './feed/websocket-transport';
export {
  createIpcTransport,
  type FeedBridge,
  type IpcTransportOptions,
} from './feed/ipc-transport';
export { createNoFeedTransport, type NoFeedOptions } from './feed/no-feed-transport';
