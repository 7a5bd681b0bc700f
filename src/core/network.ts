/**
 * What the transport reports about the network under the stream.
 * Units: `Ms` milliseconds, `Us` microseconds, `Bps` bits per second, `Bytes` bytes.
 */

/** Names one path for people and for maps: interface name, or local address where no interface is known. */
export type PathId = string;

/** Names one connection for its whole life: `m:` + token in hex, or `t:` + socket cookie for plain TCP. */
export type ConnectionId = string;

export interface SocketAddress {
  address: string;
  port: number;
}

/**
 * `active`: may carry data. `backup`: joined, used only when no active path is left.
 * `connecting`: handshake not done. `closed`: gone or going.
 */
export type SubflowState = 'active' | 'backup' | 'connecting' | 'closed';

/** One subflow at one instant. Counters run from the subflow's start. */
export interface SubflowSample {
  /** Unique within its connection and never reused there. */
  subflowId: string;
  pathId: PathId;
  interfaceName?: string | undefined;
  local: SocketAddress;
  remote: SocketAddress;
  state: SubflowState;
  bytesReceived: number;
  /** Receiver-side round-trip estimate; the one to trust while downloading. */
  rcvRttUs?: number | undefined;
  /** Sender-side smoothed RTT: on a downloading client it reflects only the requests sent. */
  rttUs?: number | undefined;
  minRttUs?: number | undefined;
  lastDataRecvMs?: number | undefined;
  outOfOrderSegments?: number | undefined;
  retransSegments?: number | undefined;
}

/** One connection at one instant. */
export interface ConnectionSample {
  connectionId: ConnectionId;
  /** `fallback`: opened as MPTCP, the peer or a middlebox did not speak it. `tcp`: never MPTCP. */
  kind: 'mptcp' | 'fallback' | 'tcp';
  local: SocketAddress;
  remote: SocketAddress;
  /** In-order bytes handed to the application side. */
  inOrderBytes: number;
  subflows: SubflowSample[];
}

/** Everything seen at one instant. */
export interface SampleBatch {
  /** CLOCK_MONOTONIC in milliseconds: the one time base of feeds and logs. */
  monotonicMs: number;
  connections: ConnectionSample[];
  /** Samples overwritten before they could be sent, since the last batch. */
  lostSamples: number;
}

export type PathEventKind =
  | 'subflow-established'
  | 'subflow-closed'
  | 'subflow-priority'
  | 'interface-up'
  | 'interface-down'
  | 'address-added'
  | 'address-removed'
  | 'route-changed';

/** Something happened to a path; reported at once, not with the next sample. */
export interface PathEvent {
  monotonicMs: number;
  kind: PathEventKind;
  /** Absent where the event cannot be tied to one path. */
  pathId?: PathId | undefined;
  interfaceName?: string | undefined;
  address?: string | undefined;
  connectionId?: ConnectionId | undefined;
  subflowId?: string | undefined;
  /** For `subflow-priority`. */
  backup?: boolean | undefined;
  /** One line for a person. */
  detail?: string | undefined;
}

/**
 * How the media's transport stands, worst news first in `reason`.
 * `multipath`: two or more subflows. `single-subflow`: MPTCP, one path joined so far.
 * `fallback`: server or middlebox does not speak MPTCP. `plain-tcp`: the player does not.
 * `disabled`: net.mptcp.enabled=0 or kernel without MPTCP. `unobservable`: the kernel refuses the statistics.
 * `idle`: no connection to the media yet. `no-feed`: nothing watches the transport (plain web page).
 */
export type TransportState =
  | 'multipath'
  | 'single-subflow'
  | 'fallback'
  | 'plain-tcp'
  | 'disabled'
  | 'unobservable'
  | 'idle'
  | 'no-feed';

export interface TransportStatus {
  state: TransportState;
  /** One line for the viewer, with what mends it where something is wrong. */
  reason: string;
}
