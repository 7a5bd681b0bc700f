import { readFileSync } from 'node:fs';
import os from 'node:os';
import { errorText, type WantedPathState } from '../../core';
import type { PathControl } from '../../ports';

/** Interfaces with a default route, according to /proc/net/route and /proc/net/ipv6_route. */
export function parseDefaultRoutes(ipv4: string, ipv6: string): string[] {
  const names = new Set<string>();
  for (const line of ipv4.split('\n').slice(1)) {
    const [name, destination, , flags, , , , mask] = line.trim().split(/\s+/);
    const up = (Number.parseInt(flags ?? '0', 16) & 1) !== 0;
    if (name !== undefined && destination === '00000000' && mask === '00000000' && up) {
      names.add(name);
    }
  }
  for (const line of ipv6.split('\n')) {
    const [destination, prefix, , , , , , , flags, name] = line.trim().split(/\s+/);
    // RTF_REJECT: the kernel's own "unreachable" entry.
    const bits = Number.parseInt(flags ?? '0', 16);
    const usable = (bits & 1) !== 0 && (bits & 0x200) === 0;
    if (name !== undefined && prefix === '00' && /^0{32}$/.test(destination ?? '') && usable) {
      names.add(name);
    }
  }
  return [...names];
}

function readOr(file: string, otherwise: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return otherwise;
  }
}

/** Networks of this machine with a default route: candidates for a path. */
export function usableNetworks(): string[] {
  const interfaces = os.networkInterfaces();
  const routes = parseDefaultRoutes(
    readOr('/proc/net/route', ''),
    readOr('/proc/net/ipv6_route', ''),
  );
  return routes.filter((name) => interfaces[name]?.some(({ internal }) => !internal) === true);
}

export interface OwnEndpoints {
  /** Networks that have an endpoint of this player, or need none because the stream began there. */
  made: string[];
  /** Reason why the others have none. */
  failures: string[];
}

/**
 * Makes an endpoint for every usable network if the system has none of other programs: without endpoints the kernel uses
 * one path only. Endpoints of NetworkManager or the user are a decision, and nothing is added. `restore`
 * removes its own. Never rejects.
 * @param wish the state that a network gets; undefined: it stays as it is. Default: active
 */
export async function makeOwnEndpoints(
  control: Pick<PathControl, 'capability' | 'list' | 'setState'>,
  networks: readonly string[] = usableNetworks(),
  wish: (network: string) => WantedPathState | undefined = () => 'active',
): Promise<OwnEndpoints> {
  const result: OwnEndpoints = { made: [], failures: [] };
  const reported = (error: unknown): void => {
    result.failures.push(errorText(error));
  };
  const capability = control.capability();
  if (!capability.available || networks.length < 2) return result;
  // By connection, no endpoint is needed.
  if (capability.scope === 'connections') return result;
  try {
    const found = await control.list();
    if (found.some(({ origin }) => origin !== 'own')) return result;
  } catch (error) {
    reported(error);
    return result;
  }
  for (const network of networks) {
    const state = wish(network);
    if (state === undefined) continue;
    try {
      await control.setState(network, state);
      result.made.push(network);
    } catch (error) {
      reported(error);
    }
  }
  return result;
}
