import type { PathEvent, SampleBatch } from '../../core';
import type { WantedPathState } from '../../core';
import type { CreateCongestion } from '../congestion/controls';
import type { Simulation } from '../engine/simulation';
import type { Scheduler } from '../schedulers/scheduler';
import type { SessionNetwork } from './path-manager';

/** One request of a session for a resource. */
export interface Exchange {
  readonly id: number;
  readonly startMs: number;
  readonly bytesTotal: number;
  /** Here in order. */
  readonly bytesLoaded: number;
  readonly firstByteMs: number | undefined;
  /** From when on it was served, where it was asked for while another one was under way. */
  readonly servedFromMs?: number | undefined;
  /** Set at its end if several overlap: bytes of the whole carriage since the previous exchange ended. */
  readonly goodputBps?: number | undefined;
}

/** Fetches one medium of a session. */
export interface MediaClient {
  /**
   * Asks for `bytes`.
   * @param neededAtMs when playback needs the last one; undefined: as soon as possible
   * @throws RangeError where it can take no more requests
   */
  fetch(bytes: number, done: (exchange: Exchange) => void, neededAtMs?: number): Exchange;
  /** Gives up everything that is under way. */
  abort(): void;
  /** For good: data under way is lost. */
  close(): void;
}

/** Carries a session's media over its network's paths. */
export interface SessionCarriage {
  readonly clients: readonly MediaClient[];
  /** Carries out what a path policy wants. */
  want(pathId: string, desired: WantedPathState): void;
  /** The connections as the client's kernel would report them now. */
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
  /** Where the numbers of its flows begin. */
  flow: number;
  /** The player may steer paths. */
  controls: boolean;
  createScheduler: () => Scheduler;
  createCongestion: CreateCongestion;
  receiveBufferBytes?: number | undefined;
  onPathEvent: (event: PathEvent) => void;
  /** There is room for another request before the present one ends. */
  onWantsMore: () => void;
}
