import { errorText } from '../core';
import { PathControlError } from '../ports';
import {
  MPTCP_PM_FAMILY,
  mptcpPmCommand,
  MPTCP_PM_VERSION,
  loadNetlink,
  socketOptions,
} from '../kernel';

/** The kernel answers within milliseconds. Chosen; no measurement. */
const REQUEST_TIMEOUT_MS = 2000;

export function refusal(what: string, error: unknown): PathControlError {
  if (error instanceof PathControlError) return error;
  const reason = errorText(error);
  return /EPERM|EACCES/.test(reason)
    ? new PathControlError('DENIED', `${what} needs CAP_NET_ADMIN`)
    : new PathControlError('FAILED', `${what}: ${reason}`);
}

export interface PathManagerSocket {
  /** Sends one command and returns the payloads of the answers. @throws PathControlError */
  request(
    what: string,
    command: number,
    payload: Uint8Array,
    flags?: number,
  ): Promise<Uint8Array[]>;
  close(): void;
}

/**
 * Opens the kernel's path manager with this process's own CAP_NET_ADMIN, in its network namespace.
 * @throws PathControlError DENIED without that privilege, FAILED if the kernel has no MPTCP
 */
export async function openPathManagerSocket(): Promise<PathManagerSocket> {
  const netlink = await loadNetlink().catch((error: unknown) => {
    throw refusal('loading netlink', error);
  });
  const socket = netlink.createGenericNetlink(socketOptions);
  let familyId = 0;

  const request: PathManagerSocket['request'] = async (what, command, payload, flags) => {
    try {
      const options = { timeout: REQUEST_TIMEOUT_MS, ...(flags === undefined ? {} : { flags }) };
      const [messages] = await socket.request(
        familyId,
        command,
        MPTCP_PM_VERSION,
        payload,
        options,
      );
      return messages.map((message) => message.data);
    } catch (error) {
      throw refusal(what, error);
    }
  };

  try {
    const [family] = await socket.ctrlRequest(
      netlink.genl.Commands.GET_FAMILY,
      { familyName: MPTCP_PM_FAMILY },
      { timeout: REQUEST_TIMEOUT_MS },
    );
    familyId = family?.familyId ?? 0;
    if (familyId === 0) throw new Error('this kernel has no mptcp_pm');
    // This command has no effect, but the kernel checks the privilege before it.
    await request('control', mptcpPmCommand.setFlags, new Uint8Array()).catch((error: unknown) => {
      if (error instanceof PathControlError && error.code === 'DENIED') throw error;
    });
  } catch (error) {
    socket.socket.close();
    throw refusal('controlling paths', error);
  }
  return { request, close: () => socket.socket.close() };
}
