import { encodeRouteLookup, getRouteMessage, isUsableRoute } from '../codec';
import { loadNetlink, socketOptions, type Netlink } from './netlink';

const requestTimeoutMs = 1000;

export interface RouteLookup {
  /**
   * Whether packets from our address reach the other over that interface, as the routing tables say now.
   * Undefined where they cannot be asked. Never rejects.
   */
  reaches(to: string, from: string, interfaceIndex: number): Promise<boolean | undefined>;
  close(): void;
}

/** Asks this network namespace's routing tables; needs no privilege. */
export function createRouteLookup(): RouteLookup {
  let opening: Promise<ReturnType<Netlink['createNetlink']> | undefined> | undefined;
  let closed = false;

  const open = async (): Promise<ReturnType<Netlink['createNetlink']> | undefined> => {
    try {
      const netlink = await loadNetlink();
      return closed ? undefined : netlink.createNetlink(netlink.Protocol.ROUTE, socketOptions);
    } catch {
      return undefined;
    }
  };

  return {
    async reaches(to, from, interfaceIndex) {
      opening ??= open();
      const socket = await opening;
      if (!socket || closed) return undefined;
      try {
        const request = encodeRouteLookup(to, from, interfaceIndex);
        const options = { timeout: requestTimeoutMs };
        const [answers] = await socket.request(getRouteMessage, request, options);
        return answers.some(({ data }) => isUsableRoute(data));
      } catch (error) {
        // The kernel's "no" is an error too.
        return /rejected/i.test(String(error)) ? false : undefined;
      }
    },
    close() {
      if (closed) return;
      closed = true;
      void opening?.then((socket) => socket?.close());
    },
  };
}
