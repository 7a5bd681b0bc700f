export { Simulation, SimulationError } from './engine/simulation';
export { SplitMix64 } from './engine/split-mix';
export { every, Timer } from './engine/timer';
export { Ecn, Packet, type Receiver } from './packet';
export { LinkDirection, type LinkDirectionStats, type WaitListener } from './link/link-direction';
export { createQueue } from './queues/create-queue';
export type { PacketQueue, QueueLimit } from './queues/packet-queue';
export { MptcpConnection, type MptcpOptions, type MptcpPath } from './mptcp/connection';
export { PathSwitches } from './mptcp/path-switches';
export { SimNetwork, type SimPath } from './network/sim-network';
export { schedulers, type SchedulerName } from './schedulers/schedulers';
export {
  defaultPathUse,
  PathUseDecision,
  type PathUseOptions,
} from './schedulers/path-use-decision';
export type { Scheduler } from './schedulers/scheduler';
export { congestionControls, type CongestionName } from './congestion/controls';
export type { CongestionControl } from './congestion/congestion-control';
export { MasterControl, type MasterScope } from './congestion/master-control';
export { startBackground, type Background } from './apps/background';
export { Bulk } from './apps/bulk';
export { VoipCalls, type VoipResult } from './apps/voip';
export { WebClients, type WebResult } from './apps/web';
export { createTcpStream, type StreamSide, type TcpStreamOptions } from './tcp/stream';
export { simulateSession } from './session/simulate-session';
export { SimSession } from './session/session';
export type {
  SessionCarriageSpec,
  SessionOptions,
  SessionPlace,
  SimPlayer,
} from './session/session-options';
export type { SessionNetwork } from './session/path-manager';
export { statelessController, type Controller } from './controllers/controller';
export { Bola } from './controllers/bola';
export { BufferBased } from './controllers/buffer-based';
export { RateBased } from './controllers/rate-based';
export { createFilm, type Film, type FilmSpec } from './apps/progressive/film';
export type { PlayoutOptions, PlayoutReport, Underflow } from './apps/progressive/playout';
export { ProgressiveVideo } from './apps/progressive/progressive-video';
export { RangeFetcher, type RangeFetcherOptions } from './ranges/range-fetcher';
export type { RangeObject } from './ranges/fetch-state';
