import { addressBytes } from './address';
import { AttributeWriter, hostIsLittleEndian } from './netlink-attributes';

/** RTM_GETROUTE of rtnetlink. Numbers from the kernel's public header linux/rtnetlink.h; they are stable ABI. */
export const getRouteMessage = 26;

const headerBytes = 12;
const attribute = { destination: 1, source: 2, interfaceIndex: 4 } as const;
/**
 * RTM_F_FIB_MATCH (since 4.13): answer with the entry of the table, and with an error where there is none. Without
 * it the kernel takes everything behind a given interface as being on its link.
 */
const fibMatch = 0x2000;
const unicast = 1;

/**
 * Asks for the route to an address, from one of ours and over its interface.
 * @throws RangeError when one is no IP address, or they are of different families
 */
export function encodeRouteLookup(to: string, from: string, interfaceIndex: number): Uint8Array {
  const [destination, source] = [addressBytes(to), addressBytes(from)];
  if (!destination || destination.length !== source?.length) {
    throw new RangeError(`no route from "${from}" to "${to}" can be asked for`);
  }
  const header = new Uint8Array(headerBytes);
  const bits = destination.length * 8;
  header.set([destination.length === 4 ? 2 : 10, bits, bits]);
  new DataView(header.buffer).setUint32(8, fibMatch, hostIsLittleEndian);
  const attributes = new AttributeWriter()
    .raw(attribute.destination, destination)
    .raw(attribute.source, source)
    .u32(attribute.interfaceIndex, interfaceIndex)
    .bytes();
  return Uint8Array.of(...header, ...attributes);
}

/** Whether an answer is a route that packets take, and not one that refuses them. */
export const isUsableRoute = (answer: Uint8Array): boolean =>
  answer.length >= headerBytes && answer[7] === unicast;
