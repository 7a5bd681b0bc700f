import { networkOf, type PathId, type WantedPathState } from '../../core';
import type { InterfaceInfo, InterfaceTable } from '../../kernel';
import type { EndpointInfo } from '../../ports';
import { isLocalOnly } from '../local-only';
import type { AddressState, LocalPath, SubflowAction } from './subflow-plan';

/** The interfaces, and the owners of past addresses. */
export type Networks = Pick<InterfaceTable, 'list' | 'ownerOf'>;

/** The knowledge about networks, by their names. */
export interface NetworkFacts {
  /** The wanted states that differ from `active`. */
  wishes: ReadonlyMap<string, Exclude<WantedPathState, 'active'>>;
  /** Networks that once led to a server, or that a caller requested, with one of their addresses. */
  paths: ReadonlyMap<string, string>;
  /** Networks whose loss was reported. */
  lost: ReadonlySet<string>;
}

export const noFacts: NetworkFacts = { wishes: new Map(), paths: new Map(), lost: new Set() };

/** A network that a caller names. */
export interface NamedNetwork {
  network: string;
  /** Undefined while the network has no usable address. */
  address: string | undefined;
}

const usableAddresses = ({ loopback, addresses }: InterfaceInfo): string[] =>
  loopback ? [] : addresses.filter((address) => !isLocalOnly(address));

const linkOf = (table: Networks, network: string): InterfaceInfo | undefined =>
  table.list().find(({ name }) => name === network);

/** The state that subflows from an address must have. */
export function addressState(
  table: Networks,
  { wishes }: NetworkFacts,
  address: string,
): AddressState {
  const owner = table.ownerOf(address);
  if (owner === undefined) return undefined;
  const link = linkOf(table, owner);
  if (link?.loopback === true) return undefined;
  if (link?.up !== true || !link.addresses.includes(address)) return 'lost';
  return wishes.get(owner) ?? 'active';
}

/** The addresses from which subflows may start. */
export const localPaths = (table: Networks): LocalPath[] =>
  table
    .list()
    .filter(({ up }) => up)
    .flatMap((link) =>
      usableAddresses(link).map((address) => ({
        network: link.name,
        address,
        interfaceIndex: link.index,
      })),
    );

/** The paths as the port reports them. Without a connection, every network may become a path. */
export function networkInfos(table: Networks, { wishes, paths }: NetworkFacts): EndpointInfo[] {
  const known =
    paths.size > 0
      ? paths
      : new Map(localPaths(table).map(({ network, address }) => [network, address]));
  const order = table.list().map(({ name }) => name);
  const names = [...known.keys()].sort((a, b) => order.indexOf(a) - order.indexOf(b));
  return names.map((network) => {
    const link = linkOf(table, network);
    const usable = link ? usableAddresses(link) : [];
    const isUp = link?.up === true && usable.length > 0;
    const state = isUp ? (wishes.get(network) ?? 'active') : 'closed';
    return {
      pathId: network,
      interfaceName: network,
      address: usable[0] ?? known.get(network) ?? '',
      endpointId: undefined,
      state,
      origin: 'own',
      changed: state !== 'active',
    };
  });
}

/** The network of a path id, which names an interface or one of its addresses. */
export function findNetwork(
  table: Networks,
  { paths }: NetworkFacts,
  pathId: PathId,
): NamedNetwork | undefined {
  const name = networkOf(pathId);
  const network = linkOf(table, name) || paths.has(name) ? name : table.ownerOf(name);
  if (network === undefined) return undefined;
  const link = linkOf(table, network);
  const address = link && usableAddresses(link)[0];
  return address === undefined && !paths.has(network) ? undefined : { network, address };
}

export function withWish(
  facts: NetworkFacts,
  network: string,
  state: WantedPathState,
): NetworkFacts {
  const wishes = new Map(facts.wishes);
  if (state === 'active') wishes.delete(network);
  else wishes.set(network, state);
  return { ...facts, wishes };
}

export const withPaths = (
  facts: NetworkFacts,
  paths: readonly (readonly [network: string, address: string])[],
): NetworkFacts => ({ ...facts, paths: new Map([...facts.paths, ...paths]) });

export const networkActedOn = (table: Networks, action: SubflowAction): string | undefined =>
  action.kind === 'create' ? action.path.network : table.ownerOf(action.subflow.local.address);

/** The facts after executed changes, and one report for each network that was lost or returned. */
export function planReports(
  table: Networks,
  facts: NetworkFacts,
  done: readonly SubflowAction[],
): { facts: NetworkFacts; details: string[] } {
  const lost = new Set(facts.lost);
  const details: string[] = [];
  const networksOf = (actions: readonly SubflowAction[]): Set<string | undefined> =>
    new Set(actions.map((action) => networkActedOn(table, action)));
  const closed = done.filter((action) => action.kind === 'destroy' && action.lost);
  for (const network of networksOf(closed)) {
    if (network === undefined || lost.has(network)) continue;
    lost.add(network);
    details.push(`${network} was lost: its subflows are closed`);
  }
  for (const network of networksOf(done.filter(({ kind }) => kind === 'create'))) {
    if (network !== undefined && lost.delete(network)) details.push(`${network} is back`);
  }
  return { facts: { ...facts, lost }, details };
}
