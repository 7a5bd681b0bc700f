import { endpointFlag } from '../../kernel';
import type { EndpointAction } from './endpoint-action';
import { isGone, pathOf, type EndpointUse, type FoundEndpoints } from './endpoint-state';
import { replacementsOf } from './own-endpoint';

/**
 * The steps that give a network whose address changed (DHCP) an endpoint of this player at the new one. Pure.
 * @param abandoned also where an endpoint of another program stands at the old address
 */
export function planMove(
  found: FoundEndpoints,
  name: string,
  abandoned: boolean,
  { isUsed }: Pick<EndpointUse, 'isUsed'>,
): EndpointAction[] {
  const { endpoints, absent, changes } = found;
  const link = found.table.list().find((item) => item.name === name);
  if (link?.up !== true) return [];
  const gone = [...absent.values()].filter(
    ({ pathId, state, endpoint }) =>
      state === 'lost' && pathId === name && isGone(found, endpoint.address),
  );
  const left = abandoned
    ? endpoints.filter((item) => pathOf(found, item) === name && isGone(found, item.address))
    : [];
  const before = [...left, ...gone.map(({ endpoint }) => endpoint)];
  const taken = new Set([...endpoints.map(({ address }) => address), ...absent.keys()]);
  const created = replacementsOf(link, before, taken).map((fresh): EndpointAction => {
    // With `subflow` the kernel would open a second subflow beside an existing first one.
    const isFirst = isUsed?.(fresh.address) === true;
    const flags = isFirst ? fresh.flags & ~endpointFlag.subflow : fresh.flags;
    return { kind: 'create', endpoint: { ...fresh, flags }, thenBackup: false, rejoin: true };
  });
  if (created.length === 0) return [];
  const replaced = gone
    // The end of the session also restores an endpoint of another program.
    .filter(({ endpoint }) => !changes.get(endpoint.address)?.found)
    .map(({ endpoint }): EndpointAction => ({
      kind: 'forget-absent',
      address: endpoint.address,
    }));
  return [...created, ...replaced];
}
