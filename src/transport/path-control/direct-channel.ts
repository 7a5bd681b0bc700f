import { PathControlError } from '../../ports';
import {
  encodeEndpoint,
  MPTCP_PM_FAMILY,
  mptcpPmCommand,
  mptcpPmVersion,
  parseEndpoint,
  type MptcpEndpoint,
} from '../codec';
import { loadNetlink, reasonOf, socketOptions } from '../events/netlink';
import type { EndpointChannel } from './channel';

const requestTimeoutMs = 2000;
/** NLM_F_DUMP: every one. */
const dump = 0x300;

function refusal(what: string, error: unknown): PathControlError {
  if (error instanceof PathControlError) return error;
  const reason = reasonOf(error);
  return /EPERM|EACCES/.test(reason)
    ? new PathControlError('DENIED', `${what} needs CAP_NET_ADMIN`)
    : new PathControlError('FAILED', `${what}: ${reason}`);
}

/**
 * Speaks to the kernel with this process's own CAP_NET_ADMIN, in its network namespace.
 * @throws PathControlError DENIED without that privilege, FAILED where the kernel has no MPTCP
 */
export async function openDirectChannel(): Promise<EndpointChannel> {
  const netlink = await loadNetlink().catch((error: unknown) => {
    throw refusal('loading netlink', error);
  });
  const socket = netlink.createGenericNetlink(socketOptions);
  let familyId = 0;

  const request = async (
    what: string,
    command: number,
    payload: Uint8Array,
    flags?: number,
  ): Promise<Uint8Array[]> => {
    try {
      const options = { timeout: requestTimeoutMs, ...(flags === undefined ? {} : { flags }) };
      const [messages] = await socket.request(familyId, command, mptcpPmVersion, payload, options);
      return messages.map((message) => message.data);
    } catch (error) {
      throw refusal(what, error);
    }
  };
  const change = async (what: string, command: number, endpoint: MptcpEndpoint): Promise<void> => {
    await request(`${what} ${endpoint.address}`, command, encodeEndpoint(endpoint));
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

  return {
    through: 'direct',
    async list() {
      const answers = await request(
        'listing endpoints',
        mptcpPmCommand.getAddress,
        new Uint8Array(),
        dump,
      );
      try {
        return answers.map(parseEndpoint).filter((item) => item !== undefined);
      } catch (error) {
        throw refusal('listing endpoints', error);
      }
    },
    add: (endpoint) => change('adding', mptcpPmCommand.addAddress, endpoint),
    remove: (endpoint) => change('removing', mptcpPmCommand.deleteAddress, endpoint),
    setFlags: (endpoint) => change('changing', mptcpPmCommand.setFlags, endpoint),
    close: () => socket.socket.close(),
  };
}
