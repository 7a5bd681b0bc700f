import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { InterfaceTable } from '../codec';

const run = promisify(execFile);

interface IpAddressRow {
  ifindex?: unknown;
  ifname?: unknown;
  flags?: unknown;
  addr_info?: unknown;
}

const isUp = (flags: unknown): boolean =>
  Array.isArray(flags) && flags.includes('UP') && flags.includes('LOWER_UP');

/** Parses the output of `ip -json address`; invalid rows are left out. */
function parseIpAddress(json: string): InterfaceTable {
  const table = new InterfaceTable();
  const rows: unknown = JSON.parse(json);
  for (const row of Array.isArray(rows) ? (rows as IpAddressRow[]) : []) {
    const { ifindex: index, ifname: name, flags } = row;
    if (typeof index !== 'number' || typeof name !== 'string') continue;
    const loopback = Array.isArray(flags) && flags.includes('LOOPBACK');
    table.setLink({ index, name, up: isUp(flags), loopback });
    const addresses = Array.isArray(row.addr_info) ? (row.addr_info as { local?: unknown }[]) : [];
    for (const { local } of addresses) {
      if (typeof local === 'string') table.addAddress(index, local);
    }
  }
  return table;
}

/**
 * Interfaces and addresses of another network namespace, by name or path. Empty if unreadable: paths are then
 * named by their addresses.
 */
export async function readInterfacesOf(netns: string): Promise<InterfaceTable> {
  const command = netns.includes('/')
    ? ['nsenter', `--net=${netns}`, 'ip', '-json', 'address']
    : ['ip', '-netns', netns, '-json', 'address'];
  try {
    const [program = 'ip', ...args] = command;
    const { stdout } = await run(program, args, { maxBuffer: 8 << 20 });
    return parseIpAddress(stdout);
  } catch {
    return new InterfaceTable();
  }
}
