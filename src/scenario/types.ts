/**
 * A scenario after reading: shorthands expanded, defaults filled in, files read. The lab runs it on real
 * kernels, the simulator simulates it; both take exactly this.
 */
import type { AbrName } from '../core';
import type { DirectionSpec, MiddleboxSpec } from './link-spec';
import type { Name } from './name';
import type { TimelineEvent } from './timeline';

export type { Name } from './name';

export type IpVersion = 'ipv4' | 'ipv6' | 'dual';

/** `client` plays (exactly one), `server` serves the media (exactly one), `host` carries traffic, `router` forwards. */
export type NodeRole = 'client' | 'server' | 'host' | 'router';

export interface NodeSpec {
  id: Name;
  role: NodeRole;
  /** Congestion control of its TCP senders; default `cubic`. */
  congestionControl: string;
  /**
   * Addresses of the node. `per-link` (default): one per link; a server with several announces them. `one`:
   * the same address over every link.
   */
  addresses?: 'per-link' | 'one';
}

/** Bidirectional, between two nodes. It names the interfaces at both ends. */
export interface LinkSpec {
  id: Name;
  a: Name;
  b: Name;
  ab: DirectionSpec;
  ba: DirectionSpec;
  middlebox?: MiddleboxSpec;
}

/** The route of packets from one node to another; the return route is its reverse unless given too. */
export interface RouteSpec {
  from: Name;
  to: Name;
  /** Links in order. Without a route, the one with the fewest links is taken. */
  via: readonly Name[];
}

/** A path of the player: from one local interface (a link at the client) to one server interface. */
export interface PathSpecification {
  id: Name;
  /** Links from the client to the server, in order; the first is at the client. */
  via: readonly Name[];
}

export interface Topology {
  ipVersion: IpVersion;
  nodes: readonly NodeSpec[];
  links: readonly LinkSpec[];
  routes: readonly RouteSpec[];
  /** The first carries new connections. At least one. */
  paths: readonly PathSpecification[];
}

export interface ServerSpec {
  http: 'http1' | 'http2';
  /** HTTPS with a throw-away certificate authority; always with `http2`. */
  tls: boolean;
  mptcp: boolean;
  /** Path use decision of MPTCP+ beside the server. */
  pathUse?: PathUseSpec;
}

/** Settings of Algorithm 1 of paper `mptcp-plus`. */
export interface PathUseSpec {
  /** Samples of a path in its weighted average. */
  samples: number;
  /** Share of the best path's average that a path must exceed. */
  rho: number;
  periodMs: number;
}

/** `demo`: the clip of every demo. `folder`: any local DASH folder. `ladder`: made from the demo's pictures. */
export type MediaSpec =
  | { kind: 'demo' }
  | { kind: 'folder'; dir: string; mpd: string }
  | {
      kind: 'ladder';
      /** Ascending. */
      videoBps: readonly number[];
      audioBps: readonly number[];
      segmentMs: number;
      /**
       * `small`: tiny frames, each segment padded to its rung's size. Absent: pictures encoded at their rate.
       */
      pictures?: 'small';
      /** Sizes of small pictures. `vbr`: sizes vary around the rate like those of a film. Absent: constant size. */
      sizes?: 'vbr';
      /** An encoder is still writing it while it plays. Absent: on demand. */
      live?: LiveSpec;
    };

/** A live stream. */
export interface LiveSpec {
  /** Target latency for players in the manifest. */
  latencyMs: number;
  /** Media in one CMAF chunk, which is sent when it is complete. Absent: a segment appears as a whole. */
  chunkMs?: number;
}

/** Calls of `voip`. */
export interface CallsSpec {
  /** Begun a second, while fewer than the intensity are on. */
  perSecond: number;
  /** Length of a call. */
  holdMs: number;
  /** `each`: a flow of its own for every call. `one`: one port pair for all, as SIPp has it. */
  ports: 'each' | 'one';
}

/** Bytes of a web page's object where a scenario gives none: about the median of images on the web. */
export const WEB_OBJECT_BYTES = 20_000;

export interface TrafficSpec {
  id: Name;
  /** `ftp`: iperf3 bulk TCP. `voip`: SIPp calls with RTP. `web`: h2load, one connection per object. */
  kind: 'ftp' | 'voip' | 'web';
  /** The sender of the bulk of the data, and its receiver. */
  from: Name;
  to: Name;
  startMs: number;
  /** Absent: to the end of the trial. */
  durationMs?: number;
  /** ftp: parallel connections; voip: concurrent calls; web: connections per second. */
  intensity: number;
  /** ftp: rate limit of each connection, set by the application. */
  rateBps?: number;
  /** web: bytes of one object; `WEB_OBJECT_BYTES` if absent. */
  objectBytes?: number;
  /** voip. */
  calls?: CallsSpec;
}

/**
 * The carriage of a player's connections. `mptcp`: plain MPTCP over all paths. `tcp`: plain TCP on the first.
 * `path`: that path alone. `policy`: MPTCP steered by a path policy. `ranges`: byte ranges over plain TCP on every path.
 */
export type PlayerOver =
  | { kind: 'mptcp' }
  | { kind: 'tcp' }
  | { kind: 'path'; path: Name }
  | { kind: 'policy'; policy: string }
  | { kind: 'ranges'; scheduler?: string };

export interface PlayerSpec {
  /** Unique, used in tables: `ABR@OVER`, such as `multipath@ranges`, `dynamic@mptcp`, `bola@wifi`. */
  id: string;
  app: 'browser' | 'electron';
  /** `shaka` is Shaka Player with its default rule; all others are rules of dash.js or ours (`multipath`). */
  abr: AbrName | 'shaka';
  carriage: PlayerOver;
  /** dash.js's own rules read the path forecast. */
  correction: boolean;
  /** Buffer target; absent: the player's default. */
  bufferTargetMs?: number;
  /** Settings of the policy. */
  policyConfig?: Readonly<Record<string, unknown>>;
}

/** A costly network: policies that consider cost (such as `metered`) restrict its path. */
export interface MeteredSpec {
  path: Name;
  /** Cost in any currency; only the order of paths counts. */
  costPerGb?: number;
  /** Bytes a session may take from it. */
  budgetBytes?: number;
}

export interface Scenario {
  /** File name without `.yaml`. */
  name: string;
  title: string;
  /** Source: the paper or the use case. */
  source: string;
  description: string;
  topology: Topology;
  server: ServerSpec;
  media: MediaSpec;
  traffic: readonly TrafficSpec[];
  /** Players in the order of their turns. */
  players: readonly PlayerSpec[];
  events: readonly TimelineEvent[];
  /** Paths that cost; absent: none. */
  metered?: readonly MeteredSpec[];
  /** Playing time of one trial after the first frame. */
  durationMs: number;
  trials: number;
  seed: number;
  /** Period of the queue statistics in the run log. */
  queueSampleMs: number;
  /** `emulator`: our user-space links. `kernel`: netem and the kernel's qdiscs, where they exist. */
  backend: 'emulator' | 'kernel';
}
