import type { SocketAddress } from '../../core';
import { addressBytes } from './address';
import { hostIsLittleEndian } from './netlink-attributes';

/** SOCK_DIAG_BY_FAMILY of sock_diag. Numbers and structures of linux/inet_diag.h; they are stable ABI. */
export const SOCKET_BY_FAMILY_MESSAGE = 20;

const AF_INET = 2;
const IPPROTO_TCP = 6;
/** Size of struct inet_diag_req_v2. */
const REQUEST_BYTES = 56;
/** Places of the ports, addresses and cookie in it. The cookie of all ones asks for any socket with this place. */
const place = {
  states: 4,
  localPort: 8,
  remotePort: 10,
  local: 12,
  remote: 28,
  cookie: 48,
} as const;
/** Size of struct inet_diag_msg, and the places of the owner and inode in it. */
const answer = { bytes: 72, uid: 64, inode: 68 } as const;

/**
 * Asks for the TCP socket with these two ends. One with IPv4-mapped addresses is found as well.
 * @throws RangeError for an address that is not IPv4
 */
export function encodeSocketLookup(local: SocketAddress, remote: SocketAddress): Uint8Array {
  const [from, to] = [addressBytes(local.address), addressBytes(remote.address)];
  if (from?.length !== 4 || to?.length !== 4) {
    throw new RangeError(`no IPv4 socket from "${local.address}" to "${remote.address}"`);
  }
  const request = new Uint8Array(REQUEST_BYTES);
  request.set([AF_INET, IPPROTO_TCP]);
  const view = new DataView(request.buffer);
  view.setUint32(place.states, 0xffffffff, hostIsLittleEndian);
  view.setUint16(place.localPort, local.port);
  view.setUint16(place.remotePort, remote.port);
  request.set(from, place.local);
  request.set(to, place.remote);
  request.fill(0xff, place.cookie);
  return request;
}

/** User who owns the socket of an answer; undefined for one that its process has closed, or for no such answer. */
export function readSocketOwner(bytes: Uint8Array): number | undefined {
  if (bytes.length < answer.bytes) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(answer.inode, hostIsLittleEndian) === 0) return undefined;
  return view.getUint32(answer.uid, hostIsLittleEndian);
}
