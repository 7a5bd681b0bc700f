import { addressBytes, endpointFlag, type MptcpEndpoint } from '../../kernel';
import type { EndpointChannel } from '../endpoints/channel';
import { startHelper } from './helper-process';

/** The kernel numbers endpoints with one byte. */
const MAX_ENDPOINTS = 255;

/** `endpoint ID ADDRESS PORT INTERFACE FLAGS`; undefined for anything else. */
function parseEndpointLine(words: readonly string[]): MptcpEndpoint | undefined {
  const [what, id, address = '', port, interfaceIndex, flags] = words;
  const numbers = [id, port, interfaceIndex, flags].map((word) =>
    /^\d{1,10}$/.test(word ?? '') ? Number(word) : -1,
  );
  const [endpointId = -1, portNumber = -1, index = -1, flagBits = -1] = numbers;
  const good = endpointId >= 0 && endpointId <= 255 && portNumber >= 0 && portNumber <= 65535;
  if (!good || index < 0 || flagBits < 0 || words.length !== 6) return undefined;
  if (what !== 'endpoint' || !addressBytes(address)) return undefined;
  return { endpointId, address, port: portNumber, flags: flagBits, interfaceIndex: index };
}

/**
 * Endpoints through the privileged helper.
 * @throws PathControlError as startHelper
 */
export async function openHelperChannel(command: readonly string[]): Promise<EndpointChannel> {
  const helper = await startHelper(command, 'list');
  const change = async (verb: string, item: MptcpEndpoint, rest = ''): Promise<void> => {
    await helper.ask(`${verb} ${item.endpointId} ${item.address}${rest}`);
  };
  return {
    through: 'helper',
    async list() {
      const lines = await helper.ask('list');
      const endpoints = lines.map(parseEndpointLine).filter((item) => item !== undefined);
      return endpoints.slice(0, MAX_ENDPOINTS);
    },
    add: (item) => change('add', item, ` ${item.interfaceIndex} ${item.flags}`),
    remove: (item) => change('remove', item),
    setFlags: (item) =>
      change('backup', item, (item.flags & endpointFlag.backup) === 0 ? ' off' : ' on'),
    onGone: (listener) => helper.onGone(listener),
    close: () => helper.close(),
  };
}
