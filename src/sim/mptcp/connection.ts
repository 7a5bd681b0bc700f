import type { CongestionControl, SubflowView } from '../congestion/congestion-control';
import type { Simulation } from '../engine/simulation';
import type { Receiver } from '../packet';
import type { Scheduler } from '../schedulers/scheduler';
import { TcpEndpoint } from '../tcp/endpoint';
import { MAX_RECEIVE_BYTES } from '../tcp/stream';
import { MptcpEnd } from './end';
import { Subflow } from './subflow';

/** Links of one path from the client to the server, and back. */
export interface MptcpPath {
  there: readonly Receiver[];
  back: readonly Receiver[];
  /** Joined as a backup. */
  backup?: boolean;
}

type ConnectionEnd = 'client' | 'server';

/** The state of a client's kernel that all its connections share. */
export interface MptcpHost {
  /** New connections are plain TCP, because a handshake with MPTCP was lost again and again (net.mptcp.blackhole_timeout, one hour). */
  hasBlackhole: boolean;
}

/** The senders of one end, for coupled controls. Grows as subflows join. */
export type CouplingGroup = readonly SubflowView[];

export interface MptcpOptions {
  paths: readonly MptcpPath[];
  /**
   * Indices of the paths used from the start: the first carries the initial subflow, the others join once it
   * is fully established. Default: all, in order.
   */
  order?: readonly number[];
  /** Name for flow queues. */
  flow: number;
  /**
   * @param group the end's own senders, for schedulers that look at their controls
   * @param end the one whose data it schedules
   */
  createScheduler: (group: CouplingGroup, end: ConnectionEnd) => Scheduler;
  createCongestion: (group: CouplingGroup) => CongestionControl;
  /** Fixed if given; by default it grows up to 6 MB, Linux's tcp_rmem. */
  receiveBufferBytes?: number;
  mtuBytes?: number;
  ecn?: boolean;
  onEstablished?: () => void;
  /** Default: one of its own. */
  host?: MptcpHost;
}

/** A DSS option with a 64-bit mapping and a 64-bit data ack. */
const DSS_BYTES = 28;
/**
 * Linux (mptcp_active_detect_blackhole): the first SYN and two more (net.mptcp.syn_retrans_before_tcp_fallback) ask for
 * MPTCP. The next one, after three seconds, asks for plain TCP.
 */
const MPTCP_SYNS = 3;
/** Paths for which a connection reserves flow numbers: the kernel's limit of subflows. */
const MAX_PATHS = 8;

/** A connection whose client reaches one server over several paths. */
export class MptcpConnection {
  readonly client: MptcpEnd;
  readonly server: MptcpEnd;
  /** Path index of each subflow. */
  readonly pathOf: number[] = [];
  /** Called with each subflow before its handshake begins. */
  onJoin: ((index: number, pathIndex: number) => void) | undefined;
  readonly #simulation: Simulation;
  readonly #options: MptcpOptions;
  readonly #groups = { client: [] as SubflowView[], server: [] as SubflowView[] };
  /** Indices of removed paths. */
  readonly #removed = new Set<number>();
  #established = false;
  #closed = false;
  /** All paths of the start have been joined, or none will be. */
  #joined = false;
  #isPlain: boolean;
  readonly #host: MptcpHost;

  constructor(simulation: Simulation, options: MptcpOptions) {
    this.#simulation = simulation;
    this.#options = options;
    this.#host = options.host ?? { hasBlackhole: false };
    this.#isPlain = this.#host.hasBlackhole;
    const bufferBytes = options.receiveBufferBytes ?? MAX_RECEIVE_BYTES;
    const end = (group: CouplingGroup, name: ConnectionEnd): MptcpEnd =>
      new MptcpEnd(simulation, {
        scheduler: options.createScheduler(group, name),
        bufferBytes,
        fixedBuffer: options.receiveBufferBytes !== undefined,
      });
    this.client = end(this.#groups.client, 'client');
    this.server = end(this.#groups.server, 'server');
  }

  connect(): void {
    this.#join(this.#order()[0] ?? 0);
  }

  /** It is plain TCP over its first path: it has no further subflow, and its path cannot be removed. */
  get isPlain(): boolean {
    return this.#isPlain;
  }

  /** True if the path has a subflow that is established or connecting. */
  uses(pathIndex: number): boolean {
    return this.#subflowsOf(pathIndex).length > 0;
  }

  /**
   * Removes a path at once, like the removal of its address: its unacknowledged data is reinjected elsewhere.
   * A path that has not joined yet never joins.
   */
  remove(pathIndex: number): void {
    if (this.#isPlain) return;
    this.#removed.add(pathIndex);
    for (const index of this.#subflowsOf(pathIndex)) {
      this.server.onGone(index);
      this.client.onGone(index);
    }
  }

  /**
   * Opens a new subflow over a path.
   * @returns the subflow's index; undefined if the connection is closed or plain TCP
   */
  rejoin(pathIndex: number): number | undefined {
    if (this.#closed || this.#isPlain) return undefined;
    this.#removed.delete(pathIndex);
    return this.#join(pathIndex);
  }

  close(): void {
    this.#closed = true;
    this.client.close();
    this.server.close();
  }

  /** Subflows that are still open. */
  #subflowsOf(pathIndex: number): number[] {
    return this.pathOf.flatMap((path, index) =>
      path === pathIndex && this.client.subflows[index]?.endpoint.state !== 'closed' ? [index] : [],
    );
  }

  #join(pathIndex: number): number {
    const path = this.#options.paths[pathIndex];
    if (path === undefined) throw new RangeError(`there is no path ${pathIndex}`);
    const index = this.client.subflows.length;
    this.pathOf.push(pathIndex);
    const flow = (this.#options.flow * MAX_PATHS + index) * 2;
    const client = this.#endpoint(this.client, this.#groups.client, index, path.there, flow, () =>
      this.#onEstablished(index),
    );
    const server = this.#endpoint(
      this.server,
      this.#groups.server,
      index,
      path.back,
      flow + 1,
      () => this.#onServerEstablished(index),
    );
    TcpEndpoint.meet(client, server);
    if (path.backup === true) this.client.setBackup(index, true);
    this.onJoin?.(index, pathIndex);
    client.connect();
    return index;
  }

  #order(): readonly number[] {
    return this.#options.order ?? this.#options.paths.map((_, index) => index);
  }

  #onEstablished(index: number): void {
    this.client.push();
    if (index > 0 || this.#established) return;
    this.#established = true;
    if ((this.client.subflows[0]?.endpoint.synTries ?? 0) > MPTCP_SYNS) {
      this.#isPlain = true;
      this.#host.hasBlackhole = true;
    }
    this.#options.onEstablished?.();
  }

  /**
   * The client's first subflow is fully established once a segment has followed the server's SYN-ACK (Linux:
   * check_fully_established): the others join.
   */
  #joinOthers(): void {
    if (this.#joined) return;
    this.#joined = true;
    for (const other of this.#order().slice(1)) {
      // A path that joined meanwhile has its subflow.
      if (!this.#removed.has(other) && !this.pathOf.includes(other)) this.rejoin(other);
    }
  }

  #onServerEstablished(index: number): void {
    const subflow = this.server.subflows[index];
    if (subflow !== undefined) subflow.isBackup = this.client.wantsBackup(index);
    this.server.push();
  }

  #endpoint(
    end: MptcpEnd,
    group: SubflowView[],
    index: number,
    route: readonly Receiver[],
    flow: number,
    onEstablished: () => void,
  ): TcpEndpoint {
    const endpoint: TcpEndpoint = new TcpEndpoint(this.#simulation, {
      route,
      flow,
      mtuBytes: this.#options.mtuBytes ?? 1500,
      optionBytes: DSS_BYTES,
      ecn: this.#options.ecn ?? false,
      congestion: this.#options.createCongestion(group),
      source: {
        take: () => subflow.take(),
        get isExhausted() {
          return end.unsentBytes === 0;
        },
      },
      onChunk: (chunk) => end.onChunk(chunk),
      connectionFields: () => end.connectionFields(index),
      onConnectionFields: (fields) => {
        end.onConnectionFields(index, fields);
        if (end === this.client) this.#joinOthers();
      },
      onEstablished,
      onAcked: () => end.push(),
    });
    const subflow = new Subflow(index, endpoint);
    end.subflows.push(subflow);
    group.push({
      get cwnd() {
        return subflow.cwnd;
      },
      get srttNs() {
        return subflow.srttNs;
      },
      get isEstablished() {
        return subflow.isUsable;
      },
    });
    return endpoint;
  }
}
