import { encodeEndpoint, mptcpPmCommand, parseEndpoint, type MptcpEndpoint } from '../../kernel';
import type { EndpointChannel } from './channel';
import { openPathManagerSocket, refusal } from '../path-manager-socket';

/** NLM_F_DUMP: list all entries. */
const DUMP = 0x300;

/**
 * Opens the kernel's commands with this process's own CAP_NET_ADMIN, in its network namespace.
 * @throws PathControlError as openPathManagerSocket
 */
export async function openDirectChannel(): Promise<EndpointChannel> {
  const socket = await openPathManagerSocket();
  const change = async (what: string, command: number, endpoint: MptcpEndpoint): Promise<void> => {
    await socket.request(`${what} ${endpoint.address}`, command, encodeEndpoint(endpoint));
  };
  return {
    through: 'direct',
    async list() {
      const what = 'listing endpoints';
      const answers = await socket.request(what, mptcpPmCommand.getAddress, new Uint8Array(), DUMP);
      try {
        return answers.map(parseEndpoint).filter((item) => item !== undefined);
      } catch (error) {
        throw refusal(what, error);
      }
    },
    add: (endpoint) => change('adding', mptcpPmCommand.addAddress, endpoint),
    remove: (endpoint) => change('removing', mptcpPmCommand.deleteAddress, endpoint),
    setFlags: (endpoint) => change('changing', mptcpPmCommand.setFlags, endpoint),
    close: () => socket.close(),
  };
}
