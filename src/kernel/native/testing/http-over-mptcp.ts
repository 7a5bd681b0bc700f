import { spawn, type ChildProcess } from 'node:child_process';
import http from 'node:http';
import net from 'node:net';

export const PORT = 8080;

/** Answers `/N` with N bytes. Dual-stack, so that its IPv4 peers are v4-mapped. */
const serverProgram = `
  require('node:http').createServer((request, response) => {
    response.end(Buffer.alloc(Number(request.url.slice(1))));
  }).listen(${PORT}, '::', () => console.log('listening'));`;

/** Starts a web server that speaks MPTCP in the network namespace \`server\`; resolves when it listens. */
export function startWebServer(): Promise<ChildProcess> {
  const child = spawn(
    'ip',
    ['netns', 'exec', 'server', 'mptcpize', 'run', process.execPath, '-e', serverProgram],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with ${code ?? 'a signal'}`)));
    child.stdout.once('data', () => resolve(child));
  });
}

export interface WebClient {
  socket: net.Socket;
  /** Resolves to the number of body bytes. */
  get: (bytes: number) => Promise<number>;
}

/** Speaks HTTP over a descriptor that \`connectMptcp\` returned, one connection for all requests. */
export function webClient(fd: number): WebClient {
  const socket = new net.Socket({ fd });
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  agent.createConnection = () => socket;
  const get = (bytes: number): Promise<number> =>
    new Promise((resolve, reject) => {
      const request = http.get({ agent, path: `/${bytes}` }, (response) => {
        let length = 0;
        response.on('data', (chunk: Buffer) => (length += chunk.length));
        response.on('end', () => resolve(length));
      });
      request.on('error', reject);
    });
  return { socket, get };
}
