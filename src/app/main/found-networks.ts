import os from 'node:os';
import type { FoundNetwork } from '../../ipc';
import { usableNetworks } from '../../path-control';

/** The networks of this computer with a default route, each with its address. */
export function foundNetworks(): FoundNetwork[] {
  const interfaces = os.networkInterfaces();
  return usableNetworks().map((network) => {
    const addresses = (interfaces[network] ?? []).filter(({ internal }) => !internal);
    const shown = addresses.find(({ family }) => family === 'IPv4') ?? addresses[0];
    return { network, address: shown?.address ?? '' };
  });
}
