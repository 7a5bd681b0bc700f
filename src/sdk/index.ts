/**
 * multipath-dash for one's own page or Electron app: a dash.js player that knows the paths under the
 * stream. `createMultipathPlayer({ video })` works on any page; with a connection from `connectAgent` or
 * `connectBridge` it sees every subflow.
 * @packageDocumentation
 */
export {
  abrChoices,
  createMultipathPlayer,
  createNetworkMemory,
  createNoFeedTransport,
  FeedError,
  pathPolicies,
  type AbrChoice,
  type DashSettings,
  type FeedBridge,
  type MultipathPlayer,
  type MultipathPlayerOptions,
  type NetworkMemory,
  type NoFeedOptions,
  type RememberedPath,
  type WebSocketLike,
  type WebSocketTransportOptions,
} from '../player';
export {
  connectAgent,
  connectBridge,
  type ConnectAgentOptions,
  type FeedConnection,
} from './connect-agent';
export { mountPanel, type Panel, type PanelOptions } from './panel/mount-panel';
export type {
  LogSink,
  NetworkWish,
  PathPolicyView,
  PathRequest,
  Player,
  PlayerSnapshot,
  Transport,
  TransportMessage,
} from '../ports';
export type { Forecast, LogEvent, PathControlReport, WantedPathState } from '../qoe';
export type { Ladder, PathEvent, Rung, SampleBatch, TransportStatus } from '../core';
