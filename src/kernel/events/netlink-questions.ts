import { loadNetlink, socketOptions, type Netlink } from './netlink';

const REQUEST_TIMEOUT_MS = 1000;

export interface NetlinkQuestions {
  /** Opens the socket before the first question. */
  open(): void;
  /**
   * The kernel's answers; `refused` if it has none to this question. Undefined if it cannot be asked, or if `encode`
   * throws. Never rejects.
   */
  ask(type: number, encode: () => Uint8Array): Promise<Uint8Array[] | 'refused' | undefined>;
  close(): void;
}

/** A netlink socket for questions to the kernel. It keeps no process alive. */
export function createNetlinkQuestions(
  protocolOf: (protocols: Netlink['Protocol']) => number,
): NetlinkQuestions {
  let opening: Promise<ReturnType<Netlink['createNetlink']> | undefined> | undefined;
  let closed = false;

  const open = async (): Promise<ReturnType<Netlink['createNetlink']> | undefined> => {
    try {
      const netlink = await loadNetlink();
      if (closed) return undefined;
      return netlink.createNetlink(protocolOf(netlink.Protocol), socketOptions);
    } catch {
      return undefined;
    }
  };

  return {
    open() {
      opening ??= open();
    },
    async ask(type, encode) {
      opening ??= open();
      const socket = await opening;
      // The next question tries again: a descriptor may be free then.
      if (!socket) opening = undefined;
      if (!socket || closed) return undefined;
      try {
        const [answers, { port }] = await socket.request(type, encode(), {
          timeout: REQUEST_TIMEOUT_MS,
        });
        // Port 0 is the kernel.
        return port === 0 ? answers.map(({ data }) => data) : undefined;
      } catch (error) {
        // The kernel's refusal is an error too.
        return /rejected/i.test(String(error)) ? 'refused' : undefined;
      }
    },
    close() {
      if (closed) return;
      closed = true;
      void opening?.then((socket) => socket?.close());
    },
  };
}
