/** Topologies as users write them: a kind and its options, after units and defaults are read. */
import type { DirectionSpec, MiddleboxSpec } from './link-spec';
import type { IpVersion, LinkSpec, Name, NodeRole, PathSpecification, RouteSpec } from './types';

/** Options of every kind. */
export interface CommonOptions {
  /** Default `ipv4`. */
  ipVersion?: IpVersion;
  /** Congestion control of every node that is not named below. Default `cubic`. */
  congestionControl?: string;
  /** Congestion control of each named node. */
  congestionControls?: Readonly<Record<Name, string>>;
}

/** A link from its user's side: `down` leads to the client. */
export interface AccessLinkOptions {
  /** Name of the path, of its link and of the client's interface. */
  id: Name;
  down: DirectionSpec;
  up: DirectionSpec;
  middlebox?: MiddleboxSpec;
}

/** Nodes `client` and `server`, and a link between them for each path. */
export interface MultihomedOptions extends CommonOptions {
  /** 1 to 8; the first carries new connections. */
  paths: readonly AccessLinkOptions[];
  /** `one` (default): the server has one address, reachable over every path. `per-link`: one for each path. */
  serverAddresses?: 'one' | 'per-link';
}

/** One of the dumbbell's bottlenecks. */
export interface BottleneckOptions {
  /** The media direction, in which the paper has its AQM. */
  forward: DirectionSpec;
  /** Default: rate, delay and limits of `forward`, without loss, with droptail. */
  back?: DirectionSpec;
}

/**
 * Fig. 1 of "Quantifying Multimedia Streaming Quality: A Practical Analysis using PIE and Flow Queue PIE":
 * hosts h1, h2, h3 on the left, s1, s2, s3 on the right. The bottlenecks are r1-r3 and r2-r4. h1 and s1 are
 * attached to the first, h3 and s3 to the second, h2 and s2 to both. h2 serves the media and s2 plays them, so
 * that all bulk data flows from left to right.
 */
export interface DumbbellOptions extends CommonOptions {
  /** r1 to r3. */
  bottleneck1: BottleneckOptions;
  /** r2 to r4. */
  bottleneck2: BottleneckOptions;
  /** Each direction of the links between hosts and routers. Default: no limit, 1 ms, no loss. */
  access?: DirectionSpec;
  /** The node that serves. With `s2`, h2 plays and the media flow against the AQM. Default `h2`. */
  mediaFrom?: 'h2' | 's2';
}

/**
 * The three-path network of "Sticky Path Switching": two Wi-Fi bands (`wifi5`, `wifi24`) and a wired link
 * (`wired`), 2 Mbit/s each. Round trips and loss are those of its Table II:
 * - `baseline`: 50, 100, 100 ms without loss;
 * - `3p-50`: the same with 2 % on the first;
 * - `3p-150`: 150, 200, 200 ms with 2 % on the first.
 */
export interface ThreePathOptions extends CommonOptions {
  variant: 'baseline' | '3p-50' | '3p-150';
  /** Replaces the paper's path of that name as a whole. */
  paths?: readonly AccessLinkOptions[];
}

/** Nodes `client`, `gateway`, `server`: access links to the gateway, one link behind it. */
export interface SharedBottleneckOptions extends CommonOptions {
  /** 2 to 8. */
  access: readonly AccessLinkOptions[];
  /** Default id `shared`. */
  shared: Omit<AccessLinkOptions, 'id'> & { id?: Name };
}

export interface GraphNodeOptions {
  id: Name;
  role: NodeRole;
  /** Overrides the common options. */
  congestionControl?: string;
  addresses?: 'per-link' | 'one';
}

/** Any nodes and links. Only routers forward packets. */
export interface GraphOptions extends CommonOptions {
  nodes: readonly GraphNodeOptions[];
  links: readonly LinkSpec[];
  routes?: readonly RouteSpec[];
  /** Default: one for each link at the client, named after it, over the fewest further links. */
  paths?: readonly PathSpecification[];
}

export type TopologySource =
  | ({ kind: 'multihomed' } & MultihomedOptions)
  | ({ kind: 'dumbbell' } & DumbbellOptions)
  | ({ kind: 'three-path' } & ThreePathOptions)
  | ({ kind: 'shared-bottleneck' } & SharedBottleneckOptions)
  | ({ kind: 'graph' } & GraphOptions);
