import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:net';
import { LabError } from './errors';
import { inNetns } from './netns';

/** Listens, passes the socket to its parent, and waits until the parent releases it. */
const LISTEN_SCRIPT = `
const [address, port] = process.argv.slice(1);
const server = require('node:net').createServer();
server.on('error', (error) => { console.error(error.message); process.exit(1); });
server.listen({ host: address, port: Number(port) }, () => process.send('listening', server));
// Its parent is gone.
process.on('disconnect', () => process.exit(0));
`;

export interface NetnsListener {
  server: Server;
  /** Process id of the program that also holds the socket, until `release`. */
  pid: number;
  release(): Promise<void>;
}

/**
 * A server of this process whose socket listens in another network namespace. A process that enters the namespace
 * makes the socket and passes it on. The server's connections stay in that namespace.
 * @param env LD_PRELOAD of mptcpize, which makes it an MPTCP socket
 * @throws LabError SERVER_FAILED
 */
export async function listenInNetns(
  netns: string | undefined,
  { address, port }: { address: string; port: number },
  env: NodeJS.ProcessEnv,
): Promise<NetnsListener> {
  const [command, args] = inNetns(netns, [
    ...[process.execPath, '-e', LISTEN_SCRIPT, address, String(port)],
  ]);
  const child = spawn(command, args, {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '', ...env },
  });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-1000);
  });
  const ended = once(child, 'close');
  const server = await Promise.race([handedOver(child), ended]);
  if (Array.isArray(server) || child.pid === undefined) {
    throw new LabError('SERVER_FAILED', `cannot listen on ${address}: ${stderr.trim()}`);
  }
  return {
    server,
    pid: child.pid,
    release: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function handedOver(child: ChildProcess): Promise<Server> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('message', (_text, handle) => resolve(handle as Server));
  });
}
