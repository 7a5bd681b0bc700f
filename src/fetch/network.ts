import type { NetworkId } from '../chunks';
import { isLinkLocal, isV6 } from '../core';

/** A network of this machine over which media may be fetched. */
export interface Network {
  /** The interface's name; its path has the same name in samples and policies. */
  id: NetworkId;
  interfaceIndex: number;
  /** Global addresses of both families. */
  addresses: readonly string[];
}

/** The fields that a `NetworkSource` reads of one interface. */
export interface InterfaceFacts {
  index: number;
  name: string;
  /** Up and with a carrier. */
  up: boolean;
  loopback: boolean;
  addresses: readonly string[];
}

/** The networks among this machine's interfaces. The route to a server is checked later, for each server. */
export function networksOf(interfaces: readonly InterfaceFacts[]): Network[] {
  return interfaces.flatMap(({ index, name, up, loopback, addresses }) => {
    const usable = addresses.filter((address) => !isLinkLocal(address));
    if (!up || loopback || usable.length === 0) return [];
    return [{ id: name, interfaceIndex: index, addresses: usable }];
  });
}

/**
 * The network that the system's routes prefer; the first one if none has a default route, as in an isolated network.
 * @param defaults interfaces with a default route, the lowest metric first
 */
export function preferredNetwork(
  networks: readonly Network[],
  defaults: readonly string[],
): Network | undefined {
  const preferred = defaults.find((name) => networks.some(({ id }) => id === name));
  return networks.find(({ id }) => id === preferred) ?? networks[0];
}

/** 4 or 6. */
export const familyOf = (address: string): 4 | 6 => (isV6(address) ? 6 : 4);

/**
 * True if connections over the network may go on: it has all addresses that they use. Others come and go, such as
 * temporary addresses of IPv6 (RFC 8981).
 * @param used local addresses of its open connections; empty: a handshake under way may use any
 */
export function keepsAddresses(before: Network, now: Network, used: readonly string[]): boolean {
  const known = new Set(now.addresses);
  return (
    before.interfaceIndex === now.interfaceIndex &&
    (used.length > 0 ? used : before.addresses).every((address) => known.has(address))
  );
}
