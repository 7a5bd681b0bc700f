import type { EndpointFacts, NetworkInterfaceFacts, NetworkManagerFacts } from './model';

/** Parsers of iproute2's and nmcli's output. They skip malformed parts. */

function objects(value: unknown): Record<string, unknown>[] {
  if (!Array.isArray(value)) return [];
  return value.filter(
    (item): item is Record<string, unknown> => typeof item === 'object' && item !== null,
  );
}

function rows(json: string): Record<string, unknown>[] {
  try {
    return objects(JSON.parse(json));
  } catch {
    return [];
  }
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;
const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];

/** `ip mptcp limits`: plain text, in any iproute2 so far. */
export function parseLimits(
  output: string,
): { subflows: number; addAddrAccepted: number } | undefined {
  const subflows = /\bsubflows (\d+)/.exec(output)?.[1];
  const accepted = /\badd_addr_accepted (\d+)/.exec(output)?.[1];
  if (subflows === undefined || accepted === undefined) return undefined;
  return { subflows: Number(subflows), addAddrAccepted: Number(accepted) };
}

/** `ip -json mptcp endpoint`. */
export function parseEndpoints(json: string): EndpointFacts[] {
  const flagNames = ['subflow', 'signal', 'backup', 'fullmesh'];
  return rows(json).flatMap((row) => {
    const address = text(row['address']);
    if (address === undefined) return [];
    // Flags are a list in some versions and one boolean each in others.
    const flags = [...strings(row['flags']), ...flagNames.filter((name) => row[name] === true)];
    return [{ address, device: text(row['dev']), flags: [...new Set(flags)] }];
  });
}

/** `ip -json address` with `ip -json -4|-6 route show table all default`. */
export function parseInterfaces(
  addressJson: string,
  routeJson: { 4: string; 6: string },
): NetworkInterfaceFacts[] {
  const ways = (version: 4 | 6): Set<string | undefined> =>
    new Set(
      rows(routeJson[version]).flatMap((row) => [
        text(row['dev']),
        // One route over several networks lists them as next hops.
        ...objects(row['nexthops']).map((hop) => text(hop['dev'])),
      ]),
    );
  const [four, six] = [ways(4), ways(6)];
  return rows(addressJson).flatMap((row) => {
    const name = text(row['ifname']);
    const flags = strings(row['flags']);
    if (name === undefined || flags.includes('LOOPBACK')) return [];
    if (!flags.includes('UP') || !flags.includes('LOWER_UP')) return [];
    const addresses = objects(row['addr_info'])
      .filter((item) => item['scope'] === 'global')
      .flatMap((item) => text(item['local']) ?? []);
    const defaultRoutes: (4 | 6)[] = [];
    if (four.has(name)) defaultRoutes.push(4);
    if (six.has(name)) defaultRoutes.push(6);
    return [{ name, addresses, defaultRoutes }];
  });
}

/** `nmcli -t -f NAME,DEVICE connection show --active`: fields end at a colon that has no backslash. */
export function parseActiveConnections(output: string): { name: string; device: string }[] {
  return output.split('\n').flatMap((line) => {
    const [name, device] = line.split(/(?<!\\):/).map((field) => field.replace(/\\(.)/g, '$1'));
    return name && device ? [{ name, device }] : [];
  });
}

/** `nmcli --version` and the query's output. */
export function networkManagerFacts(
  versionOutput: string,
  running: boolean,
  connections: NetworkManagerFacts['connections'],
): NetworkManagerFacts | undefined {
  const version = /(\d+\.\d+(?:\.\d+)?)/.exec(versionOutput)?.[1];
  return version === undefined ? undefined : { version, running, connections };
}
