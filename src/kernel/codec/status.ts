import { isLinkLocal, type ConnectionSample, type TransportStatus } from '../../core';
import type { InterfaceInfo } from './interface-table';

/** Inputs of the status. */
export interface StatusFacts {
  /** The kernel supports MPTCP sockets. */
  mptcpSupported: boolean;
  /** net.mptcp.enabled; undefined if unreadable. */
  mptcpEnabled: boolean | undefined;
  /**
   * The kernel made plain TCP connections of sockets that asked for MPTCP, because an earlier handshake seemed to be
   * dropped (blackhole detection, Linux 6.12).
   */
  mptcpSuspended: boolean;
  /** A userspace path manager opens the paths; endpoints have no effect. */
  userspacePathManager: boolean;
  /** The reason why the statistics cannot be read; undefined if they can. */
  unobservable: string | undefined;
  /** True if any origin is watched. */
  watching: boolean;
  /** Host names of watched origins that do not resolve. */
  unresolvedHosts: readonly string[];
  /** Current connections to the media. */
  connections: readonly ConnectionSample[];
  interfaces: readonly InterfaceInfo[];
}

const isUsable = (state: string): boolean => state === 'active' || state === 'backup';

function pathsOf(connection: ConnectionSample): string[] {
  const usable = connection.subflows.filter((subflow) => isUsable(subflow.state));
  return usable.map((subflow) =>
    subflow.state === 'backup' ? `${subflow.pathId} (backup)` : subflow.pathId,
  );
}

/** Networks of the machine that the connection does not use yet. */
function otherNetworks(facts: StatusFacts, connection: ConnectionSample): InterfaceInfo[] {
  const used = new Set(connection.subflows.map((subflow) => subflow.interfaceName));
  const v6 = connection.remote.address.includes(':');
  return facts.interfaces.filter(
    (item) =>
      item.up &&
      !item.loopback &&
      !used.has(item.name) &&
      item.addresses.some((address) => address.includes(':') === v6 && !isLinkLocal(address)),
  );
}

function singleReason(facts: StatusFacts, connection: ConnectionSample): string {
  const path = pathsOf(connection)[0];
  const first = path === undefined ? 'MPTCP, no path joined yet' : `MPTCP over ${path} only`;
  const other = otherNetworks(facts, connection)[0];
  if (!other) return `${first}: no second network is up, so connect one.`;
  const v6 = connection.remote.address.includes(':');
  if (facts.userspacePathManager) {
    return (
      `${first}: ${other.name} has not joined. The path manager is in user space: the player opens further paths ` +
      'itself, with CAP_NET_ADMIN or the helper mpd-pathctl (native/helper/README.md).'
    );
  }
  const address = other.addresses.find((a) => a.includes(':') === v6 && !isLinkLocal(a)) ?? '';
  return (
    `${first}: ${other.name} has not joined. If it stays so, run ` +
    `\`ip mptcp endpoint add ${address} dev ${other.name} subflow\` and see \`multipath-dash doctor\`.`
  );
}

function mixture(connections: readonly ConnectionSample[]): string {
  const count = (kind: ConnectionSample['kind']): number =>
    connections.filter((connection) => connection.kind === kind).length;
  const notes: string[] = [];
  const fallback = count('fallback');
  const plain = count('tcp');
  if (fallback > 0) notes.push(`${fallback} of ${connections.length} connections fell back to TCP`);
  if (plain > 0) notes.push(`${plain} of ${connections.length} connections never asked for MPTCP`);
  return notes.join('; ');
}

function ofConnections(facts: StatusFacts): TransportStatus {
  const { connections } = facts;
  const mptcp = connections.filter((connection) => connection.kind === 'mptcp');
  const widest = [...mptcp].sort((a, b) => pathsOf(b).length - pathsOf(a).length)[0];
  const notes = mixture(connections);
  const worst = notes === '' ? '' : `${notes}; `;
  if (widest) {
    const paths = pathsOf(widest);
    if (paths.length >= 2) {
      return { state: 'multipath', reason: `${worst}${paths.length} paths: ${paths.join(', ')}.` };
    }
    return { state: 'single-subflow', reason: worst + singleReason(facts, widest) };
  }
  if (facts.mptcpSuspended) {
    return {
      state: 'fallback',
      reason:
        'The kernel opens no MPTCP connection for up to net.mptcp.blackhole_timeout seconds, because an MPTCP ' +
        'handshake failed where TCP succeeded. If an outage was the cause, end that with ' +
        '`sysctl -w net.mptcp.blackhole_timeout=3600`.',
    };
  }
  if (connections.some((connection) => connection.kind === 'fallback')) {
    return {
      state: 'fallback',
      reason:
        'The connection fell back to TCP: the server or a middlebox does not speak MPTCP. ' +
        'Use an MPTCP server (for example `mptcpize run nginx`) or another network.',
    };
  }
  return {
    state: 'plain-tcp',
    reason: 'The player opened plain TCP sockets: start it with `mptcpize run`.',
  };
}

/** State of the media's transport, with the fix for a problem. */
export function transportStatus(facts: StatusFacts): TransportStatus {
  if (!facts.mptcpSupported && facts.mptcpEnabled !== false) {
    return {
      state: 'disabled',
      reason:
        'This kernel has no MPTCP: boot one built with CONFIG_MPTCP (Linux 5.6 or later). Playing over TCP.',
    };
  }
  if (facts.mptcpEnabled === false) {
    return {
      state: 'disabled',
      reason: 'net.mptcp.enabled is 0: run `sysctl -w net.mptcp.enabled=1`. Playing over TCP.',
    };
  }
  if (facts.unobservable !== undefined) {
    return { state: 'unobservable', reason: facts.unobservable };
  }
  if (facts.connections.length > 0) return ofConnections(facts);
  if (!facts.watching) return { state: 'idle', reason: 'No stream is open yet.' };
  const [host] = facts.unresolvedHosts;
  if (host !== undefined) {
    return { state: 'idle', reason: `${host} does not resolve: check the address and DNS.` };
  }
  return { state: 'idle', reason: 'No connection to the media yet.' };
}
