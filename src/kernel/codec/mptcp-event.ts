import type { SocketAddress } from '../../core';
import { AttributeReader, readAttributes } from './netlink-attributes';

/**
 * Events of the kernel's MPTCP path manager (generic netlink family `mptcp_pm`, group `mptcp_pm_events`).
 * Numbers from the kernel's public header linux/mptcp_pm.h; they are stable ABI.
 */
export const MPTCP_PM_FAMILY = 'mptcp_pm';
export const MPTCP_PM_EVENT_GROUP = 'mptcp_pm_events';

export const mptcpEventKinds = {
  1: 'created',
  2: 'established',
  3: 'closed',
  6: 'announced',
  7: 'removed',
  10: 'subflow-established',
  11: 'subflow-closed',
  13: 'subflow-priority',
  15: 'listener-created',
  16: 'listener-closed',
} as const;

type MptcpEventKind = (typeof mptcpEventKinds)[keyof typeof mptcpEventKinds];

export const mptcpAttribute = {
  token: 1,
  family: 2,
  localId: 3,
  remoteId: 4,
  localAddress4: 5,
  localAddress6: 6,
  remoteAddress4: 7,
  remoteAddress6: 8,
  localPort: 9,
  remotePort: 10,
  backup: 11,
  error: 12,
  flags: 13,
  interfaceIndex: 15,
  resetReason: 16,
} as const;

/** MPTCP_PM_EV_FLAG_DENY_JOIN_ID0. */
export const DENY_JOIN_INITIAL_FLAG = 1;

/** One event; fields the kernel did not send are absent. */
export interface MptcpEvent {
  kind: MptcpEventKind;
  /** Local token of the connection. */
  token?: number;
  localId?: number;
  remoteId?: number;
  local?: SocketAddress;
  remote?: SocketAddress;
  backup?: boolean;
  /** errno of the failed subflow. */
  error?: number;
  interfaceIndex?: number;
  /**
   * The other end allows no further subflows to the address this connection was opened to (RFC 8684, section
   * 3.1, the C flag). Only in `created` and `established`.
   */
  denyJoinInitial?: boolean;
  /** Reason of the MP_RST or TCP reset (RFC 8684, section 3.6). */
  resetReason?: number;
}

/**
 * Decodes one event.
 * @param command command of the generic netlink header
 * @param payload attributes after that header
 * @returns undefined for an event unknown to this version
 * @throws NetlinkBytesError on malformed bytes, with the attribute
 */
export function parseMptcpEvent(command: number, payload: Uint8Array): MptcpEvent | undefined {
  const attributes = readAttributes(payload);
  const kind = (mptcpEventKinds as Partial<Record<number, MptcpEventKind>>)[command];
  if (!kind) return undefined;
  const read = new AttributeReader(attributes);
  const at = mptcpAttribute;
  const localAddress = read.address(at.localAddress4, at.localAddress6);
  const remoteAddress = read.address(at.remoteAddress4, at.remoteAddress6);
  const localPort = read.portBe(at.localPort) ?? 0;
  const remotePort = read.portBe(at.remotePort) ?? 0;
  const backup = read.u8(at.backup);
  const flags = read.u16(at.flags);
  const event: { [K in keyof MptcpEvent]: MptcpEvent[K] | undefined } = {
    kind,
    token: read.u32(at.token),
    localId: read.u8(at.localId),
    remoteId: read.u8(at.remoteId),
    local: localAddress === undefined ? undefined : { address: localAddress, port: localPort },
    remote: remoteAddress === undefined ? undefined : { address: remoteAddress, port: remotePort },
    backup: backup === undefined ? undefined : backup !== 0,
    error: read.u8(at.error),
    interfaceIndex: read.s32(at.interfaceIndex),
    denyJoinInitial: flags === undefined ? undefined : (flags & DENY_JOIN_INITIAL_FLAG) !== 0,
    resetReason: read.u32(at.resetReason),
  };
  return withoutUndefined({ ...event, kind });
}

function withoutUndefined(
  event: {
    [K in keyof MptcpEvent]: MptcpEvent[K] | undefined;
  } & { kind: MptcpEventKind },
): MptcpEvent {
  const entries = Object.entries(event).filter(([, value]) => value !== undefined);
  return { ...(Object.fromEntries(entries) as Omit<MptcpEvent, 'kind'>), kind: event.kind };
}
