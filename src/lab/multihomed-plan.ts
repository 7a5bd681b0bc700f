import type { LinkOptions } from './link-emulator-options';
import type { PathSpec } from './path-spec';

/** The one address the server is reached by, over every path. */
export const SERVER_ADDRESS = '10.77.0.1';
/** Paths are numbered in the third byte of their network. */
export const MAX_PATHS = 8;

/** One path of a lab as the client sees it. */
export interface LabPath {
  /** `path1`, `path2`, ...: name of the path, of its link and of the interface at both ends. */
  id: string;
  interfaceName: string;
  clientAddress: string;
  /** The server's end of the link. */
  gatewayAddress: string;
  spec: PathSpec;
}

/** Names and addresses of the paths: `path<i>`, 10.77.i.2 at the client, 10.77.i.1 at the server. */
export function planPaths(specs: readonly PathSpec[]): LabPath[] {
  return specs.map((spec, index) => {
    const number = String(index + 1);
    return {
      id: `path${number}`,
      interfaceName: `path${number}`,
      clientAddress: `10.77.${number}.2`,
      gatewayAddress: `10.77.${number}.1`,
      spec,
    };
  });
}

/** The link under a path. Each path gets a loss sequence of its own from the lab's seed. */
export function planLink(
  path: LabPath,
  index: number,
  serverNetns: string,
  seed: number,
): LinkOptions {
  return {
    ...path.spec,
    name: path.id,
    a: { device: path.interfaceName, address: `${path.clientAddress}/24` },
    b: { netns: serverNetns, device: path.interfaceName, address: `${path.gatewayAddress}/24` },
    seed: seed * MAX_PATHS + index,
  };
}

/**
 * `ip -batch` lines for the client: replies leave by the path they belong to (one table a path), new
 * connections take the first path that has a carrier, and every path is an MPTCP endpoint.
 */
export function clientBatch(paths: readonly LabPath[], mptcp: boolean): string[] {
  const lines = ['link set lo up'];
  paths.forEach((path, index) => {
    const via = `default via ${path.gatewayAddress} dev ${path.interfaceName}`;
    const table = String(101 + index);
    lines.push(
      `route add ${via} table ${table}`,
      `rule add from ${path.clientAddress} table ${table} priority ${String(1001 + index)}`,
      `route add ${via} metric ${String(101 + index)}`,
    );
  });
  if (!mptcp) return lines;
  lines.push('mptcp limits set subflow 8 add_addr_accepted 8');
  for (const path of paths) {
    lines.push(`mptcp endpoint add ${path.clientAddress} dev ${path.interfaceName} subflow`);
  }
  return lines;
}

/** `ip -batch` lines for the server; the way back over each link comes with the link's own address. */
export function serverBatch(mptcp: boolean): string[] {
  const lines = ['link set lo up', `address add ${SERVER_ADDRESS}/32 dev lo`];
  if (mptcp) lines.push('mptcp limits set subflow 8 add_addr_accepted 8');
  return lines;
}

/** `ip -batch` lines that undo what outlives the client's interfaces. */
export function clientUndoBatch(paths: readonly LabPath[]): string[] {
  return [
    'mptcp endpoint flush',
    ...paths.map((_, index) => `rule del priority ${String(1001 + index)}`),
  ];
}
