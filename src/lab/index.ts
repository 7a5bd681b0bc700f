export { tryLockFolder } from './folder-lock';
export { currentRunner, trustOf } from './trusted-file';
export * from './errors';
export { DEFAULT_PATHS, parsePathSpec, type PathSpec, pathTopology } from './path-spec';
export { exitStatusOf } from './exit-status';
export { enterSandbox, isInsideSandbox } from './sandbox';
export { labRefusal } from './refusal';
export { SANDBOX_DIR } from './sandbox-command';
export { guardSandbox } from './sandbox-guard';
export type { LinkState } from './link-emulator-options';
export { ensureDemoMedia, MAX_MEDIA_SECONDS } from './demo-media';
export { type MediaServer, type MediaServerOptions, startMediaServer } from './media-server';
export { mptcpizeEnv } from './mptcpize';
export { labFindings } from './findings';
export type { PreparedMediaOptions, PreparedMedia } from './media/prepared-media';
export { inNetns, ipBatch, runInNetns, setSysctls } from './netns';
export type { Flow } from './network/flows';
export type { LabNetwork } from './network-types';
export {
  COUPLED_CONTROLS,
  coupledControlsLack,
  holdCoupledControls,
  listCoupledControls,
  loadCoupledControls,
  PAIRED_CONTROLS,
  unloadCoupledControls,
} from './coupled-controls';
export { MPTCP_LIMITS } from './network/mptcp-plan';
export { runCommand } from './run-command';
export { buildNetwork, type BuildNetworkOptions } from './network/build';
export { checkKernelLinks, planKernelNetwork } from './kernel-check';
export { checkCongestionControls } from './network/congestion-control';
export { checkTrafficPrograms } from './traffic/start-traffic';
export { scheduleTraffic } from './traffic/schedule-traffic';
export { describeLeftover, findLeftovers, removeLeftovers } from './leftovers';
export { answerLive } from './live/live-answer';
export type { LiveFilm } from './live/live-film';
export { liveManifest } from './live/live-manifest';
export { ensureMedia } from './media/ensure-media';
export { readMedia } from './media/read-media';
