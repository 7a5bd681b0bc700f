import type { SocketAddress } from '../../core';
import { formatAddress } from './address';

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
  interfaceIndex: 15,
  resetReason: 16,
} as const;

/** One event; a field the kernel did not send is absent. */
export interface MptcpEvent {
  kind: MptcpEventKind;
  /** Local token of the connection. */
  token?: number;
  localId?: number;
  remoteId?: number;
  local?: SocketAddress;
  remote?: SocketAddress;
  backup?: boolean;
  /** errno the subflow failed with. */
  error?: number;
  interfaceIndex?: number;
  /** Reason of the MP_RST or TCP reset (RFC 8684, section 3.6). */
  resetReason?: number;
}

/** The bytes are not an event of the path manager. */
export class MptcpEventError extends Error {
  override readonly name = 'MptcpEventError';
}

const headerBytes = 4;
/** The two top bits of an attribute's type are flags. */
const typeMask = 0x3fff;

/** Netlink speaks the byte order of the host. */
export const hostIsLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** Attributes by type; the last of a repeated one wins, as in the kernel's own parser. */
function readAttributes(payload: Uint8Array): Map<number, Uint8Array> {
  const attributes = new Map<number, Uint8Array>();
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  for (let offset = 0; offset < payload.length;) {
    if (payload.length - offset < headerBytes) {
      // Padding after the last attribute may be shorter than a header, but it is zero.
      if (payload.subarray(offset).every((byte) => byte === 0)) break;
      throw new MptcpEventError(`attribute header cut off at byte ${offset}`);
    }
    const length = view.getUint16(offset, hostIsLittleEndian);
    const type = view.getUint16(offset + 2, hostIsLittleEndian) & typeMask;
    if (length < headerBytes || offset + length > payload.length) {
      throw new MptcpEventError(`attribute ${type} at byte ${offset}: bad length ${length}`);
    }
    attributes.set(type, payload.subarray(offset + headerBytes, offset + length));
    offset += (length + 3) & ~3;
  }
  return attributes;
}

class AttributeReader {
  readonly #attributes: Map<number, Uint8Array>;

  constructor(attributes: Map<number, Uint8Array>) {
    this.#attributes = attributes;
  }

  #bytes(type: number, length: number): DataView | undefined {
    const bytes = this.#attributes.get(type);
    if (!bytes) return undefined;
    if (bytes.length !== length) {
      throw new MptcpEventError(`attribute ${type}: ${bytes.length} bytes, expected ${length}`);
    }
    return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  u8 = (type: number): number | undefined => this.#bytes(type, 1)?.getUint8(0);
  u32 = (type: number): number | undefined =>
    this.#bytes(type, 4)?.getUint32(0, hostIsLittleEndian);
  s32 = (type: number): number | undefined => this.#bytes(type, 4)?.getInt32(0, hostIsLittleEndian);
  portBe = (type: number): number | undefined => this.#bytes(type, 2)?.getUint16(0, false);

  address(type4: number, type6: number): string | undefined {
    const view = this.#bytes(type4, 4) ?? this.#bytes(type6, 16);
    if (!view) return undefined;
    return formatAddress(new Uint8Array(view.buffer, view.byteOffset, view.byteLength));
  }
}

/**
 * Decodes one event.
 * @param command command of the generic netlink header
 * @param payload attributes after that header
 * @returns undefined for an event this version does not know
 * @throws MptcpEventError on malformed bytes, naming the attribute
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
