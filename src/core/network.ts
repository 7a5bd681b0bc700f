/**
 * The transport's reports about the network under the stream. Units: `Ms` milliseconds, `Us` microseconds,
 * `Bps` bits per second, `Bytes` bytes.
 */

import type { PathId } from './path';

/** Names one connection for its whole life: `m:` + token in hex, or `t:` + socket cookie for plain TCP. */
export type ConnectionId = string;

export interface SocketAddress {
  address: string;
  port: number;
}

/**
 * `active`: may carry data. `backup`: joined, used only if no active path is left. `connecting`: handshake
 * incomplete. `closed`: gone or closing.
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
  /** Receiver-side round-trip estimate; the reliable one while downloading. */
  rcvRttUs?: number | undefined;
  /** Sender-side smoothed RTT: on a downloading client it only reflects the requests. */
  rttUs?: number | undefined;
  minRttUs?: number | undefined;
  lastDataRecvMs?: number | undefined;
  /**
   * Time in which an answer was awaited on it, since it began. Known where the player's own process sends the requests:
   * silence then counts exactly while something is missing.
   */
  awaitedMs?: number | undefined;
  outOfOrderSegments?: number | undefined;
  retransSegments?: number | undefined;
}

/** One connection at one instant. */
export interface ConnectionSample {
  connectionId: ConnectionId;
  /**
   * `fallback`: opened as MPTCP, but the peer or a middlebox does not support it. `tcp`: never MPTCP. `ranges`: the player
   * fetches byte ranges over one TCP connection pool per network; each pool is shown as a subflow.
   */
  kind: 'mptcp' | 'fallback' | 'tcp' | 'ranges';
  local: SocketAddress;
  remote: SocketAddress;
  /** In-order bytes delivered to the application. */
  inOrderBytes: number;
  subflows: SubflowSample[];
}

/** Bytes of an answer that came while its request was under way. The others had been fetched in advance. */
export const carriedBytes = ({
  bytes,
  earlyBytes = 0,
}: {
  bytes: number;
  earlyBytes?: number | undefined;
}): number => bytes - earlyBytes;

/** Mean rate of a finished request. Undefined if half of its bytes or more had been fetched in advance. */
export function requestRateBps(
  request: Parameters<typeof carriedBytes>[0] & { startMs: number; endMs: number },
): number | undefined {
  const bytes = carriedBytes(request);
  if (bytes <= request.bytes / 2) return undefined;
  return (bytes * 8000) / Math.max(1, request.endMs - request.startMs);
}

/** All samples of one instant. */
export interface SampleBatch {
  /** CLOCK_MONOTONIC in milliseconds: the one time base of feeds and logs. */
  monotonicMs: number;
  connections: ConnectionSample[];
  /** Samples overwritten before they were sent, since the last batch. */
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

/** An event of a path; reported at once, not with the next sample. */
export interface PathEvent {
  monotonicMs: number;
  kind: PathEventKind;
  /** Absent if the event belongs to no single path. */
  pathId?: PathId | undefined;
  interfaceName?: string | undefined;
  address?: string | undefined;
  connectionId?: ConnectionId | undefined;
  subflowId?: string | undefined;
  /** New backup flag of a `subflow-priority` event. */
  backup?: boolean | undefined;
  /** The subflow closed with its whole connection, for example after `Connection: close`: no evidence about the network. */
  connectionEnded?: boolean | undefined;
  /** One line for a person. */
  detail?: string | undefined;
}

/**
 * State of the media's transport; `reason` has the worst news first. `multipath`: two or more subflows.
 * `single-subflow`: MPTCP, one path joined so far. `fallback`: server or middlebox does not support MPTCP.
 * `plain-tcp`: the player does not. `disabled`: net.mptcp.enabled=0 or kernel without MPTCP. `unobservable`:
 * the kernel refuses the statistics. `idle`: no connection to the media yet. `no-feed`: nothing observes the
 * transport (plain web page).
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
  /** One line for the viewer, with the fix for a problem. */
  reason: string;
}
