/**
 * A scenario after reading: every shorthand is expanded, every default filled in, every file named in it read.
 * The lab runs it on real kernels, the simulator simulates it; both take this and nothing else.
 */
import type { DirectionSpec, MiddleboxSpec } from './link-spec';

/** A name of a node, link, path or player: 1 to 15 of a-z, 0-9, `-`; links name interfaces. */
export type Name = string;

export type IpVersion = 'ipv4' | 'ipv6' | 'dual';

/** `client` plays (exactly one), `server` serves the media (exactly one), `host` carries traffic, `router` forwards. */
export type NodeRole = 'client' | 'server' | 'host' | 'router';

export interface NodeSpec {
  id: Name;
  role: NodeRole;
  /** Of what it sends; `cubic` unless told. */
  congestionControl: string;
  /**
   * What others reach it by. `per-link` (default): each of its links has an address of its own; a server with several
   * announces them. `one`: the same address over every link.
   */
  addresses?: 'per-link' | 'one';
}

/** Two-way, between two nodes. Its interface at both ends is called after it. */
export interface LinkSpec {
  id: Name;
  a: Name;
  b: Name;
  ab: DirectionSpec;
  ba: DirectionSpec;
  middlebox?: MiddleboxSpec;
}

/** The way of packets from one node to another; the way back is the reverse unless it is given too. */
export interface RouteSpec {
  from: Name;
  to: Name;
  /** Links in order. Without a route, the way with the fewest links is taken. */
  via: readonly Name[];
}

/** A way the player may take: one local interface (a link at the client) to one server interface. */
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
  /** HTTPS with a throw-away authority; always with `http2`. */
  tls: boolean;
  mptcp: boolean;
}

/** `demo`: the clip every demo plays. `folder`: any local DASH folder. `ladder`: made from the demo's pictures. */
export type MediaSpec =
  | { kind: 'demo' }
  | { kind: 'folder'; dir: string; mpd: string }
  | {
      kind: 'ladder';
      /** Ascending. */
      videoBps: readonly number[];
      audioBps: readonly number[];
      segmentMs: number;
      /** `small`: tiny frames, each segment filled up to its rung's bytes. Absent: pictures worth their rate. */
      pictures?: 'small';
      /** With small pictures. `vbr`: sizes vary around the rate as those of a film do. Absent: every segment its rate. */
      sizes?: 'vbr';
    };

export interface TrafficSpec {
  id: Name;
  /** `ftp`: iperf3 bulk TCP. `voip`: SIPp calls with RTP. `web`: h2load, a connection an object. */
  kind: 'ftp' | 'voip' | 'web';
  /** Who sends the bulk of the data, and who gets it. */
  from: Name;
  to: Name;
  startMs: number;
  /** Absent: to the end of the trial. */
  durationMs?: number;
  /** ftp: parallel connections; voip: calls at a time; web: connections a second. */
  intensity: number;
  /** ftp: at most so much each, as an application that cannot do more. */
  rateBps?: number;
  /** web: bytes of one object. */
  objectBytes?: number;
}

/**
 * What carries a player's connections. `mptcp`: plain MPTCP over all paths. `tcp`: plain TCP on the first.
 * `path`: that path alone, the others do not exist. `policy`: MPTCP steered by a path policy.
 */
export type Carriage =
  | { kind: 'mptcp' }
  | { kind: 'tcp' }
  | { kind: 'path'; path: Name }
  | { kind: 'policy'; policy: string };

export interface PlayerSpec {
  /** Unique, as in tables: `ABR@OVER`, such as `multipath@model`, `dynamic@mptcp`, `bola@wifi`. */
  id: string;
  app: 'browser' | 'electron';
  /** `shaka` is Shaka Player with its default rule; all others are rules of dash.js or ours (`multipath`). */
  abr: 'multipath' | 'dynamic' | 'bola' | 'throughput' | 'l2a' | 'lolp' | 'shaka';
  carriage: Carriage;
  /** dash.js's own rules are fed with the path forecast. */
  correction: boolean;
  /** Buffer the player aims at; absent: its own default. */
  bufferTargetMs?: number;
  /** Settings of the policy. */
  policyConfig?: Readonly<Record<string, unknown>>;
}

/** A network that costs: policies that mind (such as `metered`) hold its path back. */
export interface MeteredSpec {
  path: Name;
  /** Of any currency; only the order of paths counts. */
  costPerGb?: number;
  /** Bytes a session may take from it. */
  budgetBytes?: number;
}

/** Something that happens while a trial plays, counted from the first frame's request (the page's load). */
export type TimelineEvent =
  | { atMs: number; kind: 'link-state'; link: Name; state: 'up' | 'down' | 'blackhole' }
  | {
      atMs: number;
      kind: 'link-change';
      link: Name;
      ab?: Partial<DirectionSpec>;
      ba?: Partial<DirectionSpec>;
    };

export interface Scenario {
  /** File name without `.yaml`. */
  name: string;
  title: string;
  /** The paper or the user's story it comes from. */
  source: string;
  description: string;
  topology: Topology;
  server: ServerSpec;
  media: MediaSpec;
  traffic: readonly TrafficSpec[];
  /** In the order in which they take turns. */
  players: readonly PlayerSpec[];
  events: readonly TimelineEvent[];
  /** Paths that cost; absent: none. */
  metered?: readonly MeteredSpec[];
  /** Playing time of one trial after the first frame. */
  durationMs: number;
  trials: number;
  seed: number;
  /** Period of the queues' statistics in the run log. */
  queueSampleMs: number;
  /** `emulator`: our user-space links. `kernel`: netem and the kernel's qdiscs, where they exist. */
  backend: 'emulator' | 'kernel';
}
