import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadNative } from '../../kernel';
import { SERVER_ADDRESS, SERVER_PORT } from '../../kernel/testing/two-paths';

const native = loadNative();

/** One connection of this process. Its first subflow's local port identifies it. */
export interface Client {
  socket: net.Socket;
  token: number;
}
type Subflows = ReturnType<typeof native.snapshot>['subflows'];

export const subflowsOf = ({ token }: Pick<Client, 'token'>, address?: string): Subflows =>
  native
    .snapshot()
    .subflows.filter(
      (item) =>
        item.token === token &&
        item.state === 1 &&
        (address === undefined || item.local.address === address),
    );
const bytesOf = (client: Pick<Client, 'token'>, address: string): number =>
  subflowsOf(client, address).reduce((sum, item) => sum + (item.tcp?.bytesReceived ?? 0), 0);
export const describe = (client: Pick<Client, 'token'>): string[] =>
  subflowsOf(client)
    .map(({ local, backupLocal }) => `${local.address}${backupLocal === true ? ' backup' : ''}`)
    .sort();

export async function until(what: string, condition: () => boolean): Promise<number> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < 15_000) {
    if (condition()) return performance.now() - startedAt;
    await sleep(5);
  }
  throw new Error(`timed out waiting for: ${what}; ${JSON.stringify(native.snapshot().subflows)}`);
}
export const flows = (client: Client, address: string, more = 1): Promise<number> => {
  const from = bytesOf(client, address);
  return until(`bytes on ${address}`, () => {
    const now = bytesOf(client, address);
    return now < from ? now >= more : now - from >= more;
  });
};
/** Resolves when no byte came for 400 ms. */
export async function quiet(client: Client, address: string): Promise<void> {
  let bytes = -1;
  let lastAt = performance.now();
  await until(`${address} to be quiet`, () => {
    const now = bytesOf(client, address);
    if (now !== bytes) lastAt = performance.now();
    bytes = now;
    return performance.now() - lastAt > 400;
  });
}

export async function connect(): Promise<Client> {
  const before = new Set(native.snapshot().connections.map(({ token }) => token));
  const fd = await native.connectMptcp({ address: SERVER_ADDRESS, port: SERVER_PORT });
  const socket = new net.Socket({ fd });
  socket.on('data', () => undefined).on('error', () => undefined);
  const isNew = ({ token, remote }: { token: number; remote: { port: number } }): boolean =>
    remote.port === SERVER_PORT && !before.has(token);
  await until('the connection', () => native.snapshot().connections.some(isNew));
  const token = native.snapshot().connections.find(isNew)?.token ?? 0;
  return { socket, token };
}
