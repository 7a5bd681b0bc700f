import type { ChunkAction, ChunkObservation, ConfiguredChunkScheduler } from '../../chunks';
import type { CreateCongestion } from '../congestion/controls';
import type { RangeNetwork } from './fetch-state';
import type { RangeConnection } from './range-connection';

export interface RangeNetworkCounters {
  id: string;
  connections: readonly RangeConnection[];
  /** Received bytes of bodies, duplicates included. */
  receivedBytes: number;
  /** Time in which an answer was awaited. */
  awaitedMs: number;
}

export interface RangeFetcherOptions {
  networks: readonly RangeNetwork[];
  scheduler: ConfiguredChunkScheduler;
  createCongestion: CreateCongestion;
  /** First flow number of its connections. */
  flow: number;
  receiveBufferBytes?: number | undefined;
  /** Called when bytes have arrived and more are missing. */
  onProgress?: (() => void) | undefined;
  /** Called after every decision, with its inputs. */
  onDecision?: (observation: ChunkObservation, actions: readonly ChunkAction[]) => void;
}
