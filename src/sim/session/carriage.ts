import type { PathEvent, SampleBatch } from '../../core';
import type { WantedPathState } from '../../core';
import type { CreateCongestion } from '../congestion/controls';
import type { Simulation } from '../engine/simulation';
import type { MptcpOptions } from '../mptcp/connection';
import type { SessionNetwork } from './path-manager';

/** One request of a session for a resource. */
export interface CarriedRequest {
  readonly id: number;
  readonly startMs: number;
  readonly bytesTotal: number;
  /** Here in order. */
  readonly bytesLoaded: number;
  readonly firstByteMs: number | undefined;
  /** Bytes that had arrived before its request. */
  readonly earlyBytes?: number | undefined;
  /** Set at its end over byte ranges: the rate of all that the carriage fetched meanwhile. */
  readonly goodputBps?: number | undefined;
}

/** Fetches one medium of a session. */
export interface MediaClient {
  /**
   * Requests `bytes`.
   * @param neededAtMs time when playback needs the last one; undefined: as soon as possible
   * @param name of the resource, to find it among those announced
   * @throws RangeError while a request is in flight
   */
  fetch(
    bytes: number,
    done: (exchange: CarriedRequest) => void,
    neededAtMs?: number,
    name?: string,
  ): CarriedRequest;
  /** Fetches a resource in advance. The next request takes it over, or cancels it if it is for another one. */
  announce?(name: string, bytes: number, neededAtMs: number): void;
  /** Cancels the request in flight. */
  abort(): void;
  /** Closes for good: data in flight is lost. */
  close(): void;
}

/** Carries a session's media over its network's paths. */
export interface SessionCarriage {
  readonly clients: readonly MediaClient[];
  /** Applies the states that a path policy wants. */
  want(pathId: string, desired: WantedPathState): void;
  /** The connections at this instant, as the client's kernel would report them. */
  sample(nowMs: number): SampleBatch;
}

export interface CarriageOptions {
  simulation: Simulation;
  network: SessionNetwork;
  /** Paths the client has. */
  ids: readonly string[];
  /** Number of media. */
  media: number;
  /** Numbers requests. */
  nextId: () => number;
  /** First flow number of its connections. */
  flow: number;
  /** The player may steer paths. */
  controls: boolean;
  createScheduler: MptcpOptions['createScheduler'];
  createCongestion: CreateCongestion;
  receiveBufferBytes?: number | undefined;
  onPathEvent: (event: PathEvent) => void;
  /** Bytes of media arrived, over a carriage whose clients announce. */
  onProgress: () => void;
}
