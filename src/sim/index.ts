export { Simulation } from './engine/simulation';
export { every, Timer } from './engine/timer';
export { Ecn, Packet, type Receiver } from './packet';
export { LinkDirection } from './link/link-direction';
export { MptcpConnection, type MptcpOptions, type MptcpPath } from './mptcp/connection';
export { PathSwitches } from './mptcp/path-switches';
export { SimNetwork, type SimPath } from './network/sim-network';
export { schedulers, type SchedulerName } from './schedulers/schedulers';
export {
  defaultPathUse,
  PathUseDecision,
  type PathUseOptions,
} from './schedulers/path-use-decision';
export type { Scheduler, SenderSubflow } from './schedulers/scheduler';
export {
  congestionControls,
  congestionNamed,
  type CongestionName,
  type CreateCongestion,
} from './congestion/controls';
export { Mcc, type MccReading } from './congestion/mcc';
export { Olia } from './congestion/olia';
export { WVegas } from './congestion/wvegas';
export { MasterControl, type MasterScope } from './congestion/master-control';
export { startBackground } from './apps/background';
export { createTcpStream } from './tcp/stream';
export { ladderOf } from './session/medium';
export { simulateSession } from './session/simulate-session';
export { SimSession } from './session/session';
export type { SessionCarriageSpec, SimSessionOptions, SimPlayer } from './session/session-options';
export type { SessionNetwork } from './session/path-manager';
export { statelessController, type Controller } from './controllers/controller';
export { Bola } from './controllers/bola';
export { BufferBased } from './controllers/buffer-based';
export { Dash2016 } from './controllers/dash-2016';
export { RateBased } from './controllers/rate-based';
export { createFilm } from './apps/progressive/film';
export { ProgressiveVideo } from './apps/progressive/progressive-video';
export { RangeFetcher } from './ranges/range-fetcher';
