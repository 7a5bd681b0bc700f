import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { PathControlError, type PathControlErrorCode } from '../../ports';
import { addressBytes, type MptcpEndpoint } from '../codec';
import type { EndpointChannel } from './channel';

const requestTimeoutMs = 3000;
const maxLineChars = 512;
const maxEndpoints = 255;

interface Waiting {
  endpoints: MptcpEndpoint[];
  resolve: (endpoints: MptcpEndpoint[]) => void;
  reject: (error: PathControlError) => void;
}

const codes: Partial<Record<string, PathControlErrorCode>> = {
  denied: 'DENIED',
  foreign: 'FOREIGN',
};

/** `endpoint ID ADDRESS PORT INTERFACE FLAGS`; undefined for anything else. */
function parseEndpointLine(words: readonly string[]): MptcpEndpoint | undefined {
  const [, id, address = '', port, interfaceIndex, flags] = words;
  const numbers = [id, port, interfaceIndex, flags].map((word) =>
    /^\d{1,10}$/.test(word ?? '') ? Number(word) : -1,
  );
  const [endpointId = -1, portNumber = -1, index = -1, flagBits = -1] = numbers;
  const good = endpointId >= 0 && endpointId <= 255 && portNumber >= 0 && portNumber <= 65535;
  if (!good || index < 0 || flagBits < 0 || words.length !== 6) return undefined;
  if (!addressBytes(address)) return undefined;
  return { endpointId, address, port: portNumber, flags: flagBits, interfaceIndex: index };
}

/**
 * Starts the privileged helper and speaks to it over its stdin and stdout (native/helper/README.md). It
 * puts back everything it changed when this process ends, however it ends.
 * @param command program and arguments, such as `['/usr/local/libexec/mpd-pathctl']` or with `sudo -n` before it
 * @throws PathControlError DENIED when it cannot be started or lacks its privilege
 */
export async function openHelperChannel(command: readonly string[]): Promise<EndpointChannel> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const waiting = new Map<number, Waiting>();
  let sequence = 0;
  let gone: PathControlError | undefined;
  let said = '';
  let closed = false;
  let tellGone: (error: PathControlError) => void = () => undefined;

  const lose = (code: PathControlErrorCode, message: string): void => {
    const first = gone === undefined;
    gone ??= new PathControlError(code, message);
    for (const { reject } of waiting.values()) reject(gone);
    waiting.clear();
    if (first && !closed) tellGone(gone);
  };
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-500)));
  child.stdin.on('error', () => undefined);
  child.once('error', (error) =>
    lose('DENIED', `the helper ${program} cannot be started (${error.message}); see native/helper`),
  );
  child.once('close', () =>
    lose(
      sequence <= 1 ? 'DENIED' : 'LOST',
      `the helper ended: ${said.trim() || 'it said nothing'}`,
    ),
  );

  const answer = (line: string): void => {
    const words = line.slice(0, maxLineChars).split(' ');
    const id = Number(words.shift());
    const request = waiting.get(id);
    if (!request) return;
    if (words[0] === 'endpoint') {
      const endpoint = parseEndpointLine(words);
      if (endpoint && request.endpoints.length < maxEndpoints) request.endpoints.push(endpoint);
      return;
    }
    waiting.delete(id);
    if (words[0] === 'ok') request.resolve(request.endpoints);
    else {
      const code = codes[words[1] ?? ''] ?? 'FAILED';
      request.reject(new PathControlError(code, `the helper refused: ${words.slice(1).join(' ')}`));
    }
  };
  createInterface(child.stdout).on('line', answer);

  const ask = (request: string): Promise<MptcpEndpoint[]> => {
    if (gone) return Promise.reject(gone);
    sequence += 1;
    const id = sequence;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(id);
        reject(new PathControlError('LOST', 'the helper does not answer'));
      }, requestTimeoutMs);
      waiting.set(id, {
        endpoints: [],
        resolve: (endpoints) => {
          clearTimeout(timer);
          resolve(endpoints);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      });
      child.stdin.write(`${id} ${request}\n`);
    });
  };
  const change = async (verb: string, item: MptcpEndpoint, rest = ''): Promise<void> => {
    await ask(`${verb} ${item.endpointId} ${item.address}${rest}`);
  };

  try {
    await ask('list');
  } catch (error) {
    child.stdin.end();
    throw error;
  }
  return {
    through: 'helper',
    list: () => ask('list'),
    add: (item) => change('add', item, ` ${item.interfaceIndex} ${item.flags}`),
    remove: (item) => change('remove', item),
    setFlags: (item) => change('backup', item, (item.flags & 4) === 0 ? ' off' : ' on'),
    onGone(listener) {
      tellGone = listener;
      if (gone && !closed) listener(gone);
    },
    close() {
      closed = true;
      child.stdin.end();
    },
  };
}
