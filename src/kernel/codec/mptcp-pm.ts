import { addressBytes } from './address';
import {
  AttributeReader,
  AttributeWriter,
  NetlinkBytesError,
  readAttributes,
} from './netlink-attributes';

/**
 * Requests to the kernel's MPTCP path manager (generic netlink family `mptcp_pm`). Numbers from the
 * kernel's public header linux/mptcp_pm.h; they are stable ABI.
 */
export const MPTCP_PM_VERSION = 1;

export const mptcpPmCommand = {
  addAddress: 1,
  deleteAddress: 2,
  getAddress: 3,
  setFlags: 7,
  remove: 9,
  subflowCreate: 10,
  subflowDestroy: 11,
} as const;

export const endpointFlag = {
  signal: 1,
  subflow: 2,
  backup: 4,
  fullmesh: 8,
  implicit: 16,
} as const;

/** Attributes MPTCP_PM_ATTR_ADDR, _TOKEN, _LOC_ID and _ADDR_REMOTE; `at` has those of an address. */
const ADDRESS_ATTRIBUTE = 1;
const TOKEN_ATTRIBUTE = 4;
const LOCAL_ID_ATTRIBUTE = 5;
const REMOTE_ADDRESS_ATTRIBUTE = 6;
const at = {
  family: 1,
  id: 2,
  address4: 3,
  address6: 4,
  port: 5,
  flags: 6,
  interfaceIndex: 7,
} as const;
/** AF_INET and AF_INET6. */
const FAMILY4 = 2;
const FAMILY6 = 10;

/** One endpoint of the in-kernel path manager. */
export interface MptcpEndpoint {
  /** 1-255; 0 lets the kernel choose when adding, and means "the first subflow" when deleting. */
  endpointId: number;
  address: string;
  /** 0 unless the endpoint is announced with a port. */
  port: number;
  /** Bits of `endpointFlag`. */
  flags: number;
  /** 0: no interface. */
  interfaceIndex: number;
}

/** IPv4 in sockets of AF_INET6: ::ffff:a.b.c.d. */
function toMapped(address: Uint8Array): Uint8Array {
  if (address.length === 16) return address;
  return Uint8Array.of(...Array<number>(10).fill(0), 0xff, 0xff, ...address);
}

function addressAttributes(endpoint: MptcpEndpoint, mapped = false): AttributeWriter {
  const { endpointId, port, interfaceIndex } = endpoint;
  const bytes = addressBytes(endpoint.address);
  const address = bytes && mapped ? toMapped(bytes) : bytes;
  if (!address) throw new RangeError(`"${endpoint.address}" is not an IP address`);
  if (!Number.isInteger(endpointId) || endpointId < 0 || endpointId > 255) {
    throw new RangeError(`endpoint id ${endpointId} is not 0 to 255`);
  }
  const v4 = address.length === 4;
  const inner = new AttributeWriter()
    .u16(at.family, v4 ? FAMILY4 : FAMILY6)
    .u8(at.id, endpointId)
    .raw(v4 ? at.address4 : at.address6, address)
    .u32(at.flags, endpoint.flags);
  if (port !== 0) inner.u16(at.port, port);
  if (interfaceIndex !== 0) inner.u32(at.interfaceIndex, interfaceIndex);
  return inner;
}

/**
 * The attributes of a request about an endpoint.
 * @throws RangeError for an invalid IP address or an id that is no byte
 */
export function encodeEndpoint(endpoint: MptcpEndpoint): Uint8Array {
  return new AttributeWriter().nested(ADDRESS_ATTRIBUTE, addressAttributes(endpoint)).bytes();
}

/** Both ends of one connection's subflow. Port 0 of the local end: the kernel chooses it. */
export interface SubflowEnds {
  /** Local token of the connection. */
  token: number;
  local: MptcpEndpoint;
  remote: MptcpEndpoint;
}

/**
 * The attributes of subflowCreate, subflowDestroy, and of setFlags for one connection (userspace path
 * manager).
 * @param mapped the connection's sockets are of AF_INET6 and carry IPv4, which subflowDestroy must know
 * @throws RangeError as encodeEndpoint
 */
export function encodeSubflow({ token, local, remote }: SubflowEnds, mapped = false): Uint8Array {
  return new AttributeWriter()
    .u32(TOKEN_ATTRIBUTE, token)
    .nested(ADDRESS_ATTRIBUTE, addressAttributes(local, mapped))
    .nested(REMOTE_ADDRESS_ATTRIBUTE, addressAttributes(remote, mapped))
    .bytes();
}

/** The attributes of remove: withdraws a local address from the other end of a connection (RM_ADDR). */
export function encodeRemoval(token: number, localId: number): Uint8Array {
  return new AttributeWriter().u32(TOKEN_ATTRIBUTE, token).u8(LOCAL_ID_ATTRIBUTE, localId).bytes();
}

/**
 * Decodes one answer to getAddress.
 * @param payload attributes after the generic netlink header
 * @returns undefined for an endpoint of an unknown address family
 * @throws NetlinkBytesError on malformed bytes, with the attribute
 */
export function parseEndpoint(payload: Uint8Array): MptcpEndpoint | undefined {
  const inner = readAttributes(payload).get(ADDRESS_ATTRIBUTE);
  if (!inner) throw new NetlinkBytesError('no address attribute');
  return parseAddress(inner);
}

function parseAddress(inner: Uint8Array): MptcpEndpoint | undefined {
  const read = new AttributeReader(readAttributes(inner));
  const family = read.u16(at.family);
  if (family !== FAMILY4 && family !== FAMILY6) return undefined;
  const endpointId = read.u8(at.id);
  const address = read.address(at.address4, at.address6);
  if (endpointId === undefined || address === undefined) {
    throw new NetlinkBytesError('an endpoint without id or address');
  }
  return {
    endpointId,
    address,
    port: read.u16(at.port) ?? 0,
    flags: read.u32(at.flags) ?? 0,
    interfaceIndex: read.s32(at.interfaceIndex) ?? 0,
  };
}
