import { lookup } from 'node:dns/promises';
import { Socket } from 'node:net';
import { bareHost, errorText, portOf } from '../core';
import type * as native from '../../native/index';
import { familyOf } from './network';

export type ProbeNative = Pick<typeof native, 'openSocket' | 'fullInfo' | 'closeFd'>;

export type MptcpFinding =
  { multipath: true; subflows: number } | { multipath: false; reason: string };

/** The second subflow joins after the first round trips. After a longer time a player would have begun without it. */
const JOIN_MS = 1500;
/** Interval of looks at the socket during the wait. Chosen; no measurement. */
const LOOK_MS = 50;

/** True if MPTCP to this origin forms at least two subflows. Sends a small request, and never rejects. */
export async function probeMptcp(origin: URL, addon: ProbeNative): Promise<MptcpFinding> {
  try {
    const host = bareHost(origin);
    const { address } = await lookup(host);
    const port = portOf(origin);
    const fd = addon.openSocket({ family: familyOf(address), mptcp: true });
    const socket = new Socket({ fd });
    try {
      await connected(socket, address, port);
      // A server behind TLS waits for the client. Behind plain HTTP an answer completes the set-up of the
      // connection.
      if (origin.protocol === 'http:')
        socket.write(`HEAD / HTTP/1.1\r\nHost: ${origin.host}\r\n\r\n`);
      return await watchSubflows(addon, fd, socket);
    } finally {
      socket.destroy();
    }
  } catch (error) {
    return { multipath: false, reason: errorText(error) };
  }
}

function connected(socket: Socket, address: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no answer over MPTCP')), JOIN_MS);
    socket.once('error', reject);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', reject);
      socket.on('error', () => undefined);
      socket.resume();
      resolve();
    });
    socket.connect({ host: address, port });
  });
}

async function watchSubflows(
  addon: ProbeNative,
  fd: number,
  socket: Socket,
): Promise<MptcpFinding> {
  for (let waitedMs = 0; waitedMs < JOIN_MS; waitedMs += LOOK_MS) {
    // Its descriptor may belong to another file by now.
    if (socket.destroyed) return { multipath: false, reason: 'the server closed the connection' };
    const { connections, subflows } = addon.fullInfo(fd);
    if (connections[0]?.fallback === true) {
      return { multipath: false, reason: 'the server or a middlebox does not speak MPTCP' };
    }
    // 1 is ESTABLISHED.
    const established = subflows.filter(({ state }) => state === 1).length;
    if (established >= 2) return { multipath: true, subflows: established };
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return { multipath: false, reason: 'no second subflow joined' };
}
