export { applyMediaOptions } from './dashjs/media-options';
export { attachToDash, createDashPlayer } from './create-player';
export type { MultipathPlayerOptions } from './player-options';
export { createNetworkMemory, type NetworkMemory } from './session/network-memory';
export type { RememberedPath } from '../estimate';
export { loadPolicy, policies as pathPolicies } from '../policy';
export { abrChoices, type AbrChoice, type DashSettings } from './dashjs/dash-settings';
export { createBrowserClock, every } from './video/browser-clock';
export { Origins } from './video/origins';
export { parseUrl } from './video/parse-url';
export { aheadMs } from './video/buffered-range';
export { Session } from './session/session';
export { Screen } from './core/screen';
export { configEvent } from './session/session-config';
export { playerEvent } from './session/player-event';
export { STATE_PERIOD_MS } from './session/periods';
export { watchSession } from './video/watch-session';
export { laddersOf as shakaLadders } from './shaka/shaka-ladders';
export {
  requestEvent as shakaRequestEvent,
  type ShakaExchange as ShakaExchange,
  type ShakaCodes,
} from './shaka/shaka-requests';
export { createPlayerCore } from './core/player-core';
export type {
  PlayerCore,
  MultipathCoreOptions,
  PlayerState,
  RequestBegun,
  RequestResult,
  RungChoice,
} from './core/core-types';
export type { VideoWatch } from './video/video-watch';
export { FeedClient } from './feed/feed-client';
export { FeedError } from './feed/feed-error';
export { FeedLogSink } from './feed/feed-log-sink';
export {
  createWebSocketTransport,
  type WebSocketLike,
  type WebSocketTransportOptions,
} from './feed/websocket-transport';
export { createIpcTransport, type FeedBridge } from './feed/ipc-transport';
export { createNoFeedTransport, type NoFeedOptions } from './feed/no-feed-transport';
export type { FetchChoice } from './requests/gateway-route';
