import type * as native from '../../../native/index';
import type { SamplerStats, Snapshot, SnapshotFilter } from '../../../native/index';

/** The native addon, as its declarations promise it. */
export type Native = typeof native;

/** Source of snapshots; the addon's Sampler is one. */
export interface SnapshotSource {
  start(): void;
  stop(): void;
  setFilter(filter: SnapshotFilter): void;
  /** All unread snapshots, oldest first. */
  read(): Snapshot[];
  stats(): SamplerStats;
}
