import { Socket } from 'node:net';
import type * as native from '../../native/index';
import { familyOf, type Network } from './network';

/** The functions of the addon that sockets need. */
export type SocketNative = Pick<
  typeof native,
  'openSocket' | 'socketInfo' | 'limitReceiveWindow' | 'setReceiveLowWater' | 'closeFd'
>;

/** A TCP connection whose packets use one network only. */
export interface BoundConnection {
  socket: Socket;
  remoteAddress: string;
  /** The address of this machine that it uses. */
  localAddress: string | undefined;
  /** Time from `connect` to the answer: one round trip, queues included. */
  handshakeMs: number;
  /** Its state in the kernel; undefined once it is closed. */
  info(): native.RawSubflow | undefined;
  /** Limits the bytes that the server may have in flight. */
  limitWindow(bytes: number): void;
  /** The socket becomes readable with this many bytes, or when the connection ends. */
  gather(bytes: number): void;
}

export interface BoundTarget {
  address: string;
  port: number;
  /** The source address. Default: the kernel chooses it by the interface's route. */
  localAddress?: string | undefined;
  /** Limit of the receive window from the start. */
  windowBytes?: number | undefined;
}

/** Three SYNs: at 0, 1 and 3 s (RFC 6298). */
export const CONNECT_TIMEOUT_MS = 4000;

/**
 * Connects over one network. Closes the socket if the attempt fails, is cancelled or times out.
 * @throws Error of the kernel or of the addon; `cancelled` when the signal aborts
 */
export function connectBound(
  addon: SocketNative,
  network: Network,
  { address, port, localAddress, windowBytes }: BoundTarget,
  signal?: AbortSignal,
): Promise<BoundConnection> {
  const fd = addon.openSocket({
    family: familyOf(address),
    interfaceName: network.id,
    ...(localAddress === undefined ? {} : { localAddress }),
  });
  const socket = adopt(addon, fd);
  const startMs = performance.now();
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      socket.destroy();
      reject(error);
    };
    const onAbort = (): void => fail(new Error('cancelled'));
    const timer = setTimeout(
      () => fail(new Error(`no answer from ${address} within ${CONNECT_TIMEOUT_MS} ms`)),
      CONNECT_TIMEOUT_MS,
    );
    socket.once('error', fail);
    socket.once('connect', () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      // Nobody listens to an idle connection, and an error without a listener ends the process. `close` follows it.
      socket.on('error', () => undefined);
      socket.off('error', fail);
      socket.setNoDelay(true);
      // Set after the handshake: before it TCP would choose a window scale for this limit and could never widen it
      // (RFC 7323, section 2.2).
      if (windowBytes !== undefined) addon.limitReceiveWindow(fd, windowBytes);
      const handshakeMs = performance.now() - startMs;
      resolve({
        socket,
        remoteAddress: address,
        localAddress: socket.localAddress,
        handshakeMs,
        info: () => (socket.destroyed ? undefined : tryInfo(addon, fd)),
        limitWindow(bytes) {
          if (!socket.destroyed) addon.limitReceiveWindow(fd, bytes);
        },
        gather(bytes) {
          if (!socket.destroyed) addon.setReceiveLowWater(fd, bytes);
        },
      });
    });
    if (signal?.aborted === true) {
      onAbort();
      return;
    }
    signal?.addEventListener('abort', onAbort);
    socket.connect({ host: address, port });
  });
}

/** Gives the descriptor to Node, which closes it from here on. */
function adopt(addon: SocketNative, fd: number): Socket {
  try {
    return new Socket({ fd });
  } catch (error) {
    addon.closeFd(fd);
    throw error;
  }
}

function tryInfo(addon: SocketNative, fd: number): native.RawSubflow | undefined {
  try {
    return addon.socketInfo(fd);
  } catch {
    return undefined;
  }
}
