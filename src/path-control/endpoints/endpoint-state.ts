import type { InterfaceTable, MptcpEndpoint } from '../../kernel';
import { isLocalOnly } from '../local-only';
import { sameEndpoint, type Changes } from './changes';

/** An endpoint that this player took out of the kernel. */
export interface AbsentEndpoint {
  /** `closed` waits until the path is wanted again; `lost` waits for its interface or address. */
  state: 'closed' | 'lost';
  endpoint: MptcpEndpoint;
  pathId: string;
}

/** The state that a plan starts from. Every map is keyed by address. */
export interface FoundEndpoints {
  /** The kernel's endpoints. */
  endpoints: readonly MptcpEndpoint[];
  table: Pick<InterfaceTable, 'list' | 'ownerOf' | 'nameOf'>;
  /** Changes of this player that are still in force. */
  changes: Pick<Changes, 'get'>;
  absent: ReadonlyMap<string, AbsentEndpoint>;
  /** Attempts to join since an endpoint was put back after a loss. */
  rejoins: ReadonlyMap<string, number>;
  /** Repeated announcements of the backup flag that the subflows did not follow yet. */
  flagRetries: ReadonlyMap<string, number>;
}

/** Observations of the living subflows, and the rule for endpoints of other programs. */
export interface EndpointUse {
  /**
   * Endpoints of other programs. `keep` never deletes them: `closed` is refused and a lost interface leaves them.
   * `suspend` deletes them while the path is closed or lost, and puts them back as found.
   */
  foreignEndpoints: 'keep' | 'suspend';
  /**
   * Reports a subflow from this local address. Without it every address counts as used, and a lost interface
   * leaves first subflows that have no endpoint.
   */
  isUsed?: ((address: string) => boolean) | undefined;
  /** The state of the living subflows from a local address; undefined if none is known. */
  shownState?: ((address: string) => 'active' | 'backup' | undefined) | undefined;
}

/** A control names a path by its network or by one of its addresses. */
export const isNamed = (pathId: string, name: string, address: string): boolean =>
  pathId === name || address === name;

export const pathOf = (
  { table }: Pick<FoundEndpoints, 'table'>,
  { address, interfaceIndex }: MptcpEndpoint,
): string => table.ownerOf(address) ?? table.nameOf(interfaceIndex) ?? address;

/** True if this player made the endpoint, and no other program changed it since. */
export const isOwn = (
  { changes }: Pick<FoundEndpoints, 'changes'>,
  endpoint: MptcpEndpoint,
): boolean => {
  const change = changes.get(endpoint.address);
  return change?.found === undefined && sameEndpoint(change?.now, endpoint);
};

/** True if no interface has this address any more. */
export const isGone = (
  { table }: { table: Pick<InterfaceTable, 'list'> },
  address: string,
): boolean => !table.list().some(({ addresses }) => addresses.includes(address));

/** Usable addresses of a network, or the one address of that name. An address of two interfaces is its owner's only. */
export const addressesOf = (
  { table }: Pick<FoundEndpoints, 'table'>,
  name: string,
): { address: string; index: number }[] =>
  table
    .list()
    .filter(({ loopback }) => !loopback)
    .flatMap(({ name: owner, index, addresses }) =>
      addresses
        .filter((address) => isNamed(owner, name, address) && !isLocalOnly(address))
        .filter((address) => table.ownerOf(address) === owner)
        .map((address) => ({ address, index })),
    );
