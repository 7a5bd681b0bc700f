import { readFileSync } from 'node:fs';
import { mptcpCounters } from './codec';

/** Counters of blackhole detection (Linux 6.12 and later) since this network namespace exists. */
export interface MptcpSuspension {
  /** Times that MPTCP was turned off for new connections: a handshake was lost with MPTCP and accepted without. */
  times: number;
  /** Sockets that asked for MPTCP and got TCP because of it. */
  connects: number;
}

/** net.mptcp.enabled of the process's network namespace. Undefined if it cannot be read. */
export function readMptcpEnabled(): boolean | undefined {
  try {
    return readFileSync('/proc/sys/net/mptcp/enabled', 'utf8').trim() !== '0';
  } catch {
    return undefined;
  }
}

/** Zero if the kernel does not count. */
export function readMptcpSuspension(): MptcpSuspension {
  let text = '';
  try {
    text = readFileSync('/proc/net/netstat', 'utf8');
  } catch {
    // A kernel without the file has no counter to read.
  }
  const counters = mptcpCounters(text);
  return {
    times: counters.get('Blackhole') ?? 0,
    connects: counters.get('MPCapableSYNTXDisabled') ?? 0,
  };
}
