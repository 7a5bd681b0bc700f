import type { EndpointAction } from './endpoint-action';
import {
  addressesOf,
  isOwn,
  pathOf,
  type EndpointUse,
  type FoundEndpoints,
} from './endpoint-state';
import { planMove } from './moved-addresses';
import { ownEndpoint } from './own-endpoint';
import { takeOut } from './wanted-plan';

/** Routes come in bursts; each attempt costs a deletion and an addition. Chosen; no measurement. */
const MAX_REJOINS = 5;

/**
 * The steps after a network, or one of its addresses, went away: they end its subflows at once, so that the kernel
 * reinjects their data elsewhere. Pure.
 */
export function planLoss(
  found: FoundEndpoints,
  { name, address }: { name: string; address: string | undefined },
  use: EndpointUse,
): EndpointAction[] {
  const actions = found.endpoints
    .filter((item) => pathOf(found, item) === name)
    .filter((item) => address === undefined || item.address === address)
    .filter((item) => isOwn(found, item) || use.foreignEndpoints === 'suspend')
    .map((endpoint) => takeOut(found, endpoint, 'lost'));
  const candidates = address === undefined ? addressesOf(found, name) : [{ address, index: 0 }];
  for (const { address: at, index } of candidates) {
    if (found.endpoints.some((item) => item.address === at) || found.absent.has(at)) continue;
    if (use.isUsed?.(at) !== true) continue;
    const later = { state: 'lost', endpoint: ownEndpoint(at, index), pathId: name } as const;
    actions.push({ kind: 'end-first-subflows', later });
  }
  return actions;
}

/**
 * The steps after a network came back, at its old address or at a new one. Its interface may have another name or index by
 * now: a modem that was plugged in again. Pure.
 * @param abandoned as in {@link planMove}
 */
export function planReturn(
  found: FoundEndpoints,
  { name, abandoned }: { name: string; abandoned: boolean },
  use: EndpointUse,
): EndpointAction[] {
  const link = found.table.list().find((item) => item.name === name);
  if (link?.up !== true) return [];
  const returning = [...found.absent.values()].filter(
    ({ state, endpoint }) => state === 'lost' && link.addresses.includes(endpoint.address),
  );
  return [
    ...returning.map(({ endpoint }): EndpointAction => ({
      kind: 'put-back',
      endpoint: { ...endpoint, interfaceIndex: endpoint.interfaceIndex === 0 ? 0 : link.index },
      rejoin: true,
    })),
    ...planMove(found, name, abandoned, use),
  ];
}

/** The kernel connects once. If the route was added after the address, that attempt was too early. Pure. */
export function planRejoins(
  found: FoundEndpoints,
  name: string,
  use: EndpointUse,
): EndpointAction[] {
  return [...found.rejoins]
    .filter(([address]) => found.table.ownerOf(address) === name)
    .map(([address, attempts]): EndpointAction => {
      const endpoint = found.endpoints.find((item) => item.address === address);
      if (!endpoint || attempts >= MAX_REJOINS || use.isUsed?.(address) !== false) {
        return { kind: 'forget-rejoins', address };
      }
      const later = { state: 'lost', endpoint, pathId: name } as const;
      return { kind: 'rejoin', endpoint, attempt: attempts + 1, later };
    });
}
