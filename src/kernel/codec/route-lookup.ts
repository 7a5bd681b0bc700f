import { addressBytes } from './address';
import {
  AttributeReader,
  AttributeWriter,
  hostIsLittleEndian,
  readAttributes,
} from './netlink-attributes';

/** RTM_GETROUTE of rtnetlink. Numbers from the kernel's public header linux/rtnetlink.h; they are stable ABI. */
export const GET_ROUTE_MESSAGE = 26;

/** Size of struct rtmsg. */
const HEADER_BYTES = 12;
const attribute = { destination: 1, source: 2, interfaceIndex: 4 } as const;
/**
 * RTM_F_FIB_MATCH (since 4.13): the answer is the table's entry, or an error without one. Otherwise the
 * kernel treats every address behind a given interface as on-link.
 */
const FIB_MATCH = 0x2000;
/** RTN_UNICAST; other types lead nowhere, or to this machine. */
const UNICAST = 1;

/**
 * Asks for the route to an address over one interface.
 * @param from one of our addresses; undefined: rules for other sources than "any" do not count
 * @throws RangeError for an invalid IP address, or for two address families
 */
export function encodeRouteLookup(
  to: string,
  from: string | undefined,
  interfaceIndex: number,
): Uint8Array {
  const destination = addressBytes(to);
  const source = from === undefined ? new Uint8Array() : addressBytes(from);
  const isSame = source?.length === 0 || source?.length === destination?.length;
  if (!destination || !source || !isSame) {
    throw new RangeError(`no route from "${from ?? 'any'}" to "${to}" can be asked for`);
  }
  const header = new Uint8Array(HEADER_BYTES);
  header.set([destination.length === 4 ? 2 : 10, destination.length * 8, source.length * 8]);
  new DataView(header.buffer).setUint32(8, FIB_MATCH, hostIsLittleEndian);
  const attributes = new AttributeWriter().raw(attribute.destination, destination);
  if (source.length > 0) attributes.raw(attribute.source, source);
  return Uint8Array.of(
    ...header,
    ...attributes.u32(attribute.interfaceIndex, interfaceIndex).bytes(),
  );
}

/**
 * Asks for the interface over which the system itself sends to an address, by all of its rules and tables.
 * @throws RangeError for an invalid IP address
 */
export function encodeSystemRouteLookup(to: string): Uint8Array {
  const destination = addressBytes(to);
  if (!destination) throw new RangeError(`no route to "${to}" can be asked for`);
  const header = new Uint8Array(HEADER_BYTES);
  header.set([destination.length === 4 ? 2 : 10, destination.length * 8]);
  const attributes = new AttributeWriter().raw(attribute.destination, destination).bytes();
  return Uint8Array.of(...header, ...attributes);
}

/** Index of the interface to which the answered route leads; undefined if it carries no packets. */
export function routeInterface(answer: Uint8Array): number | undefined {
  if (!isUsableRoute(answer)) return undefined;
  return new AttributeReader(readAttributes(answer.subarray(HEADER_BYTES))).u32(
    attribute.interfaceIndex,
  );
}

/** True if the answer is a route that carries packets, not one that refuses them. */
export const isUsableRoute = (answer: Uint8Array): boolean =>
  answer.length >= HEADER_BYTES && answer[7] === UNICAST;
