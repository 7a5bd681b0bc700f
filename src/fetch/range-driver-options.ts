import type { ConfiguredChunkScheduler, NetworkId } from '../chunks';
import type { CarriedChunk } from '../core';
import type { Clock } from '../ports';
import type { ObjectRequest, ObjectSink } from './fetch-object';
import type { NetworkPools } from './network-pools';
import type { NetworkTerms } from './network-terms';
import type { OriginBook } from './origin-book';

export interface ObjectHandle {
  /** The reader wants no more. */
  cancel(): void;
  /** The reader can take more. */
  drained(): void;
}

/** An object that is fetched before its reader requests it. */
export interface AnnouncedObject {
  readonly request: ObjectRequest;
  /** Attaches the reader; undefined if the object failed meanwhile. */
  read(sink: ObjectSink, neededAtMs: number | undefined): ObjectHandle | undefined;
  /** Nobody will request it. */
  drop(): void;
}

export interface RangeDriverOptions {
  scheduler: ConfiguredChunkScheduler;
  pools: NetworkPools;
  book: OriginBook;
  clock: Clock;
  terms?: (networkId: NetworkId) => NetworkTerms;
  onChunk?: (chunk: CarriedChunk) => void;
}
