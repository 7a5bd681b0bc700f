import type { SocketAddress } from '../../core';
import { encodeSocketLookup, readSocketOwner, SOCKET_BY_FAMILY_MESSAGE } from '../codec';
import { createNetlinkQuestions } from './netlink-questions';

export interface SocketOwners {
  /** Gets ready, so that the first question is answered soon. */
  open(): void;
  /**
   * User who owns the TCP socket with these IPv4 ends. Undefined if there is none, if its process has closed it, or if the
   * kernel cannot be asked. Never rejects.
   */
  ownerOf(local: SocketAddress, remote: SocketAddress): Promise<number | undefined>;
  close(): void;
}

/** Asks for sockets of this network namespace; needs no privilege. */
export function createSocketOwners(): SocketOwners {
  const questions = createNetlinkQuestions(({ SOCK_DIAG }) => SOCK_DIAG);
  return {
    open: () => questions.open(),
    async ownerOf(local, remote) {
      const answers = await questions.ask(SOCKET_BY_FAMILY_MESSAGE, () =>
        encodeSocketLookup(local, remote),
      );
      const [answer] = Array.isArray(answers) ? answers : [];
      return answer && readSocketOwner(answer);
    },
    close: () => questions.close(),
  };
}
