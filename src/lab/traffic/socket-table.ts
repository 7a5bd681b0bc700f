/** Local ports in use, from the text of `/proc/net/tcp`, `tcp6`, `udp` or `udp6`, in any concatenation. */
export function usedPorts(table: string): Set<number> {
  const ports = new Set<number>();
  for (const line of table.split('\n')) {
    const hex = /^\s*\d+:\s+[0-9A-F]+:([0-9A-F]{4})\s/.exec(line)?.[1];
    if (hex !== undefined) ports.add(Number.parseInt(hex, 16));
  }
  return ports;
}

/**
 * The first of `base`, `base + step`, ... with `count` free ports at a distance of two, as RTP uses them.
 * @returns undefined if none of `tries` is free
 */
export function firstFreePort(
  base: number,
  used: ReadonlySet<number>,
  { count = 1, step = 1, tries = 64 } = {},
): number | undefined {
  for (let index = 0; index < tries; index += 1) {
    const port = base + index * step;
    const wanted = Array.from({ length: count }, (_, offset) => port + offset * 2);
    if (wanted.every((one) => !used.has(one))) return port;
  }
  return undefined;
}

const ESTABLISHED = '01';
const SYN_SENT = '02';

/**
 * Connections to a remote port that are established or connecting, from the text of `/proc/net/tcp` and
 * `tcp6`.
 */
export function openConnections(table: string, remotePort: number): number {
  const hexPort = remotePort.toString(16).toUpperCase().padStart(4, '0');
  const pattern = /^\s*\d+:\s+[0-9A-F]+:[0-9A-F]{4}\s+[0-9A-F]+:([0-9A-F]{4})\s+([0-9A-F]{2})\s/;
  return table.split('\n').filter((line) => {
    const [, port, state] = pattern.exec(line) ?? [];
    return port === hexPort && (state === ESTABLISHED || state === SYN_SENT);
  }).length;
}
