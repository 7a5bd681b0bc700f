import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import type { SocketAddress } from '../../core';
import { createSocketOwners } from '../../kernel';

/** Each 32-bit word of an address stands in the byte order of the machine: 127.0.0.1 is 0100007F on x86 and ARM. */
function hexEnd({ address, port }: SocketAddress): string {
  const bytes = address.split('.').map((part) => Number(part).toString(16).padStart(2, '0'));
  return `${bytes.reverse().join('')}:${port.toString(16).padStart(4, '0')}`.toUpperCase();
}

/** The same end as an IPv6 socket shows it (v4-mapped). */
const MAPPED_PREFIX = '0000000000000000FFFF0000';

/**
 * Returns the owner of the socket with the local end `local` and the remote end `remote`.
 * @param table text of `/proc/net/tcp` or `/proc/net/tcp6` (Documentation/networking/proc_net_tcp.rst)
 * @returns undefined if there is none, or its process closed it: the kernel then shows uid 0 and inode 0
 */
export function ownerInTable(
  table: string,
  local: SocketAddress,
  remote: SocketAddress,
): number | undefined {
  const [from, to] = [hexEnd(local), hexEnd(remote)];
  for (const pair of [` ${from} ${to} `, ` ${MAPPED_PREFIX}${from} ${MAPPED_PREFIX}${to} `]) {
    const at = table.indexOf(pair);
    if (at === -1) continue;
    const rest = table.slice(at + pair.length, table.indexOf('\n', at)).trim();
    // st tx_queue:rx_queue tr:tm->when retrnsmt uid timeout inode ...
    const [, , , , uid = '', , inode = '0'] = rest.split(/\s+/);
    return inode === '0' || !/^\d+$/.test(uid) ? undefined : Number(uid);
  }
  return undefined;
}

/**
 * Shares reads between callers that ask at about the same time. One read runs at a time, and each caller gets one that
 * began after it asked. Otherwise every connection, also of a stranger, would hold a descriptor.
 */
export function shareReads(read: () => Promise<string>): () => Promise<string> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<string> | undefined;
  return () => {
    if (next !== undefined) return next;
    const begun = last.then(() => {
      next = undefined;
      return read();
    });
    next = begun;
    last = begun.catch(() => undefined);
    return begun;
  };
}

const tables = ['/proc/net/tcp', '/proc/net/tcp6'].map((file) =>
  shareReads(() => readFile(file, 'latin1')),
);

/** One socket for the process, opened with the first check. */
const owners = createSocketOwners();

/**
 * Returns the user at the other end of a loopback connection. The kernel is asked for this one socket. Where it has no
 * answer, for example without the netlink binding, its tables are read: all of them, 16 to 130 ms at the start of a session.
 * @returns undefined if the socket has closed or the kernel cannot be asked
 */
export async function peerUid(socket: Socket): Promise<number | undefined> {
  const { remoteAddress, remotePort, localAddress, localPort } = socket;
  if (remoteAddress === undefined || localAddress === undefined) return undefined;
  if (remotePort === undefined || localPort === undefined) return undefined;
  // From the peer's view: its local end is our remote one.
  const local = { address: remoteAddress, port: remotePort };
  const remote = { address: localAddress, port: localPort };
  const owner = await owners.ownerOf(local, remote);
  if (owner !== undefined) return owner;
  for (const readTable of tables) {
    const uid = await readTable().then(
      (table) => ownerInTable(table, local, remote),
      () => undefined,
    );
    if (uid !== undefined) return uid;
  }
  return undefined;
}

/**
 * A check of loopback peers, one look a socket: true if the peer is a process of this user. Root is no exception, because
 * it needs no server to inspect a process. Any other connection is closed.
 * @param server for the message
 * @param refuse called with the reason
 */
export function createPeerCheck(
  server: string,
  refuse: (reason: string) => void,
): (socket: Socket) => Promise<boolean> {
  owners.open();
  const known = new WeakMap<Socket, Promise<boolean>>();
  const look = async (socket: Socket): Promise<boolean> => {
    const uid = await peerUid(socket);
    if (uid !== undefined && uid === process.getuid?.()) return true;
    // The kernel shows no owner for a closed socket.
    if (uid !== undefined) refuse(`a connection of user ${uid} to ${server} was refused`);
    socket.destroy();
    return false;
  };
  return (socket) => {
    const answer = known.get(socket) ?? look(socket);
    known.set(socket, answer);
    return answer;
  };
}
