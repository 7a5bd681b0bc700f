import { InterfaceTable, type MptcpEndpoint, type NetworkChange } from '../../kernel';
import {
  createLinuxPathControl,
  type LinuxPathControlOptions,
} from '../endpoints/linux-path-control';
import { createFakeChannel } from './fake-channel';

export const endpoint = (endpointId: number, address: string, flags = 2): MptcpEndpoint => ({
  endpointId,
  address,
  port: 0,
  flags,
  interfaceIndex: 0,
});
export const WIFI = '10.0.1.2';
export const LTE = '10.0.2.2';

/** An endpoint control over two networks and a channel that records its calls. */
export function setting(
  endpoints: MptcpEndpoint[],
  more: Partial<LinuxPathControlOptions> & { used?: string[] } = {},
): {
  channel: ReturnType<typeof createFakeChannel>;
  table: InterfaceTable;
  control: ReturnType<typeof createLinuxPathControl>;
  change: (changes: NetworkChange[]) => Promise<void>;
  errors: unknown[];
} {
  const table = new InterfaceTable();
  table.setLink({ index: 2, name: 'wlan0', up: true, loopback: false });
  table.setLink({ index: 3, name: 'wwan0', up: true, loopback: false });
  table.addAddress(2, WIFI);
  table.addAddress(3, LTE);
  const channel = createFakeChannel(endpoints);
  const errors: unknown[] = [];
  const control = createLinuxPathControl({
    channel,
    table,
    foreignEndpoints: 'keep',
    later: () => () => undefined,
    isUsed: (address) => (more.used ?? [WIFI]).includes(address),
    onError: (error) => errors.push(error),
    ...more,
  });
  const change = async (changes: NetworkChange[]): Promise<void> => {
    for (const item of changes) await control.networkChanged(item);
  };
  return { channel, table, control, change, errors };
}
