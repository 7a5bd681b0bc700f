import { endpointFlag, type InterfaceInfo, type MptcpEndpoint } from '../../kernel';
import { isV6 } from '../../core';
import { isLocalOnly } from '../local-only';

export const withBackup = (endpoint: MptcpEndpoint, backup: boolean): MptcpEndpoint => ({
  ...endpoint,
  flags: backup ? endpoint.flags | endpointFlag.backup : endpoint.flags & ~endpointFlag.backup,
});
export const isBackup = ({ flags }: MptcpEndpoint): boolean => (flags & endpointFlag.backup) !== 0;

/** An endpoint of this player, without an id yet. */
export const ownEndpoint = (address: string, interfaceIndex: number): MptcpEndpoint => ({
  endpointId: 0,
  address,
  port: 0,
  flags: endpointFlag.subflow,
  interfaceIndex,
});

/**
 * Endpoints for a network whose addresses changed, as after a DHCP renewal. There is one for each family that
 * had an endpoint at a removed address and has none at a present one. Pure.
 * @param lost endpoints at removed addresses, the newest last
 * @param taken addresses that have an endpoint, or none because this player wants none
 */
export function replacementsOf(
  link: Pick<InterfaceInfo, 'index' | 'addresses'>,
  lost: readonly MptcpEndpoint[],
  taken: ReadonlySet<string>,
): MptcpEndpoint[] {
  return [false, true].flatMap((v6) => {
    const before = lost.filter(({ address }) => isV6(address) === v6).at(-1);
    const there = link.addresses.filter((item) => isV6(item) === v6 && !isLocalOnly(item));
    const [address] = there;
    if (!before || address === undefined || there.some((item) => taken.has(item))) return [];
    return [withBackup(ownEndpoint(address, link.index), isBackup(before))];
  });
}
