export { distrust } from './trusted-file';
export * from './errors';
export { DEFAULT_PATHS, parsePathSpec, type PathSpec, pathTopology } from './path-spec';
export { enterSandbox, type EnterSandboxOptions, isInsideSandbox } from './sandbox';
export { labRefusal } from './refusal';
export { SANDBOX_DIR } from './sandbox-command';
export { guardSandbox } from './sandbox-guard';
export type { LinkDirectionStats, LinkStats } from './emulator-protocol';
export type { LinkChange, LinkState } from './link-emulator-options';
export {
  type DemoMedia,
  type DemoMediaOptions,
  type DemoMediaProgress,
  ensureDemoMedia,
  MAX_MEDIA_SECONDS,
} from './demo-media';
export { type MediaServer, type MediaServerOptions, startMediaServer } from './media-server';
export type { ThrowawayTls } from './throwaway-tls';
export { mptcpizeEnv } from './mptcpize';
export { type LabFinding, labFindings } from './findings';
export type { MediaOptions, PreparedMedia } from './media/prepared-media';
export type { RunningTraffic, TrafficNetwork, TrafficOptions } from './traffic/running-traffic';
export { inNetns, runInNetns } from './netns';
export type { LabNetwork } from './network-types';
export {
  COUPLED_CONTROLS,
  type CoupledControl,
  holdCoupledControls,
  listCoupledControls,
  loadCoupledControls,
  PAIRED_CONTROLS,
  unloadCoupledControls,
} from './coupled-controls';
export { buildNetwork, type BuildNetworkOptions } from './network/build';
export type { LinkBackend } from './network/link-backend';
export { checkKernelLinks } from './kernel-check';
export { checkTrafficPrograms } from './traffic/start-traffic';
export { scheduleTraffic } from './traffic/schedule-traffic';
export {
  describeLeftover,
  findLeftovers,
  type Leftover,
  type LeftoverOptions,
  removeLeftovers,
} from './leftovers';
export { answerLive } from './live/live-answer';
export type { LiveFilm } from './live/live-film';
export { liveManifest, type LiveManifest } from './live/live-manifest';
export { ensureMedia } from './media/ensure-media';
