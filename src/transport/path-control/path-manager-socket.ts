import { PathControlError } from '../../ports';
import { MPTCP_PM_FAMILY, mptcpPmCommand, mptcpPmVersion } from '../codec';
import { loadNetlink, reasonOf, socketOptions } from '../events/netlink';

const requestTimeoutMs = 2000;

export function refusal(what: string, error: unknown): PathControlError {
  if (error instanceof PathControlError) return error;
  const reason = reasonOf(error);
  return /EPERM|EACCES/.test(reason)
    ? new PathControlError('DENIED', `${what} needs CAP_NET_ADMIN`)
    : new PathControlError('FAILED', `${what}: ${reason}`);
}

export interface PathManagerSocket {
  /** Sends one command; gives the payloads of the answers. @throws PathControlError */
  request(
    what: string,
    command: number,
    payload: Uint8Array,
    flags?: number,
  ): Promise<Uint8Array[]>;
  close(): void;
}

/**
 * Speaks to the kernel's path manager with this process's own CAP_NET_ADMIN, in its network namespace.
 * @throws PathControlError DENIED without that privilege, FAILED where the kernel has no MPTCP
 */
export async function openPathManagerSocket(): Promise<PathManagerSocket> {
  const netlink = await loadNetlink().catch((error: unknown) => {
    throw refusal('loading netlink', error);
  });
  const socket = netlink.createGenericNetlink(socketOptions);
  let familyId = 0;

  const request: PathManagerSocket['request'] = async (what, command, payload, flags) => {
    try {
      const options = { timeout: requestTimeoutMs, ...(flags === undefined ? {} : { flags }) };
      const [messages] = await socket.request(familyId, command, mptcpPmVersion, payload, options);
      return messages.map((message) => message.data);
    } catch (error) {
      throw refusal(what, error);
    }
  };

  try {
    const [family] = await socket.ctrlRequest(
      netlink.genl.Commands.GET_FAMILY,
      { familyName: MPTCP_PM_FAMILY },
      { timeout: requestTimeoutMs },
    );
    familyId = family?.familyId ?? 0;
    if (familyId === 0) throw new Error('this kernel has no mptcp_pm');
    // Says nothing the kernel could do; the privilege is checked before that.
    await request('control', mptcpPmCommand.setFlags, new Uint8Array()).catch((error: unknown) => {
      if (error instanceof PathControlError && error.code === 'DENIED') throw error;
    });
  } catch (error) {
    socket.socket.close();
    throw refusal('controlling paths', error);
  }
  return { request, close: () => socket.socket.close() };
}
