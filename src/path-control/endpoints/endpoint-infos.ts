import type { WantedPathState } from '../../core';
import type { EndpointInfo } from '../../ports';
import { endpointFlag, type MptcpEndpoint } from '../../kernel';
import { isGone, isOwn, pathOf, type FoundEndpoints } from './endpoint-state';
import { isBackup } from './own-endpoint';

/** The kernel's endpoints, and those that this player removed, in the form of the port. Pure. */
export function endpointInfos(found: FoundEndpoints): EndpointInfo[] {
  const { endpoints, table, changes, absent } = found;
  const info = (endpoint: MptcpEndpoint, pathId: string, state: WantedPathState): EndpointInfo => ({
    pathId,
    interfaceName: table.ownerOf(endpoint.address) ?? table.nameOf(endpoint.interfaceIndex),
    address: endpoint.address,
    endpointId: state === 'closed' ? undefined : endpoint.endpointId,
    state,
    origin: isOwn(found, endpoint) ? 'own' : 'foreign',
    changed: changes.get(endpoint.address) !== undefined,
  });
  // A stale address does not describe a path that has another one.
  const isStale = (endpoint: MptcpEndpoint): boolean =>
    isGone(found, endpoint.address) &&
    endpoints.some(
      (item) => pathOf(found, item) === pathOf(found, endpoint) && !isGone(found, item.address),
    );
  const present = endpoints
    .filter((item) => (item.flags & endpointFlag.implicit) === 0 && !isStale(item))
    .map((item) => info(item, pathOf(found, item), isBackup(item) ? 'backup' : 'active'));
  const out = [...absent.values()]
    .filter(({ endpoint }) => !endpoints.some(({ address }) => address === endpoint.address))
    .map(({ endpoint, pathId }) => info(endpoint, pathId, 'closed'));
  return [...present, ...out];
}
