/**
 * multipath-dash for one's own page or Electron app: a dash.js player that knows the paths under the
 * stream. `createMultipathPlayer({ video })` works on any page; with a connection from `connectAgent` or
 * `connectBridge` it sees every subflow. `attach` does the same for a dash.js player that is there already.
 * Importing it does nothing and needs no DOM.
 * @packageDocumentation
 */
export { attach, createMultipathPlayer, type MultipathPlayer } from './dash-player';
export type { DashOptions } from './dash-options';
export type { CmcdOptions } from './cmcd';
export type { Multipath } from './embed';
export type { On, PlayerEvents } from './events';
export { OptionError, PlayerError, type PlayerErrorCode } from './errors';
export {
  abrChoices,
  createNetworkMemory,
  createNoFeedTransport,
  FeedError,
  pathPolicies,
  type AbrChoice,
  type DashSettings,
  type FeedBridge,
  type FetchChoice,
  type MultipathPlayerOptions,
  type NetworkMemory,
  type NoFeedOptions,
  type RememberedPath,
  type WebSocketLike,
  type WebSocketTransportOptions,
} from '../player';
export { connectAgent, connectBridge, type ConnectAgentOptions } from './connect-agent';
export type { FeedConnection } from './feed-connection-types';
export { requestAgent, type RequestAgentOptions } from './request-agent';
export type {
  MediaChoice,
  NetworkWish,
  WantedPathState,
  Forecast,
  Ladder,
  PathEvent,
  Rung,
  SampleBatch,
  TransportStatus,
} from '../core';
export type {
  LogSink,
  PathPolicyView,
  PathRequest,
  Player,
  PlayerSnapshot,
  Transport,
  TransportMessage,
} from '../ports';
export type { LogEvent, PathControlReport } from '../session-log';
