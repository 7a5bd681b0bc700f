import { encodeRouteLookup, GET_ROUTE_MESSAGE, isUsableRoute } from '../codec';
import { loadNetlink, socketOptions, type Netlink } from './netlink';

const REQUEST_TIMEOUT_MS = 1000;

export interface RouteLookup {
  /**
   * True if the routing tables send packets from our address to the remote over that interface. Undefined if
   * they cannot be asked. Never rejects.
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
        const options = { timeout: REQUEST_TIMEOUT_MS };
        const [answers] = await socket.request(GET_ROUTE_MESSAGE, request, options);
        return answers.some(({ data }) => isUsableRoute(data));
      } catch (error) {
        // The kernel's refusal is an error too.
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
