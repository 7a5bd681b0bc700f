import type { Forecast, MediaType } from '../core';
import {
  createPlayerCore,
  type MultipathCoreOptions,
  type PlayerCore,
  type RungChoice,
} from '../player';
import { embed, type Multipath } from './embed';

/** Path-aware decisions for a player of any kind. */
export interface MultipathCore
  extends
    Multipath,
    Pick<
      PlayerCore,
      | 'begin'
      | 'error'
      | 'manifest'
      | 'nowMs'
      | 'requestEnded'
      | 'requestProgress'
      | 'requestStarted'
    > {
  /** The expected rate of the network, from the best available source. */
  forecast(): Forecast;
  /** The forecast where it may be decided with; undefined without path data. */
  trusted(): Forecast | undefined;
  /** Rung for the next segment; undefined without path data: the player's own rules decide. */
  decide(mediaType: MediaType): RungChoice | undefined;
}

/** Builds the core for `createMultipathCore` and the adapters. The policy's code is loaded already. */
export function embedCore(options: MultipathCoreOptions): MultipathCore {
  const { inner, multipath } = embed(options, (connected) =>
    createPlayerCore({ ...options, ...connected }),
  );
  return {
    ...multipath,
    nowMs: () => inner.nowMs(),
    begin: (manifestUrl) => inner.begin(manifestUrl),
    manifest: (kind, durationMs) => inner.manifest(kind, durationMs),
    requestStarted: (request) => inner.requestStarted(request),
    requestProgress: (requestId, bytesLoaded) => inner.requestProgress(requestId, bytesLoaded),
    requestEnded: (requestId, result) => inner.requestEnded(requestId, result),
    error: (error) => inner.error(error),
    forecast: () => inner.forecast(),
    trusted: () => inner.trusted(),
    decide: (mediaType) => inner.decide(mediaType),
  };
}
